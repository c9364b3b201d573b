"""The experts' working screens."""

from django.urls import path

from registry.views import (
    assigning,
    checklist,
    discussion,
    leading,
    queue,
    remarks,
    review,
    standing,
)

app_name = "review"
urlpatterns = [
    path("", queue.index, name="index"),
    path("away/", standing.away, name="away"),
    path("away/<int:key>/back/", standing.back, name="back"),
    path("conflicts/", standing.conflicts, name="conflicts"),
    path("conflicts/<int:key>/end/", standing.end, name="end"),
    path("<slug:reference>/", review.detail, name="detail"),
    path("<slug:reference>/notes/", discussion.notes, name="notes"),
    path("<slug:reference>/remark/", remarks.make, name="remark"),
    path("<slug:reference>/remarks/<int:number>/drop/", remarks.drop, name="drop_remark"),
    path("<slug:reference>/remarks/<int:number>/reopen/", remarks.reopen, name="reopen_remark"),
    path("<slug:reference>/checklist/", checklist.keep, name="checklist"),
    path("<slug:reference>/take/", assigning.take, name="take"),
    path("<slug:reference>/declare/", assigning.declare, name="declare"),
    path("<slug:reference>/recuse/", assigning.recuse, name="recuse"),
    path("<slug:reference>/assign/", leading.assign, name="assign"),
    path("<slug:reference>/assign/rota/", leading.by_rota, name="rota"),
    path("<slug:reference>/reassign/", leading.reassign, name="reassign"),
    path("<slug:reference>/extend/", leading.extend, name="extend"),
]
