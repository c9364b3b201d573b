"""The experts' working screens."""

from django.urls import path

from registry.web.requests import discussion
from registry.web.review import (
    expert_assignment,
    queue,
    remarks,
    views,
)

app_name = "review"
urlpatterns = [
    path("", queue.show_queue, name="index"),
    path("away/", queue.edit_absences, name="away"),
    path("away/<int:key>/back/", queue.post_absence_removal, name="back"),
    path("conflicts/", queue.edit_conflicts_of_interest, name="conflicts"),
    path("conflicts/<int:key>/end/", queue.post_conflict_end, name="end"),
    path("<slug:reference>/", views.show_review, name="detail"),
    path("<slug:reference>/notes/", discussion.show_expert_notes, name="notes"),
    path("<slug:reference>/remark/", remarks.post_remark, name="remark"),
    path(
        "<slug:reference>/remarks/<int:number>/drop/", remarks.show_remark_drop, name="drop_remark"
    ),
    path(
        "<slug:reference>/remarks/<int:number>/reopen/",
        remarks.show_remark_reopening,
        name="reopen_remark",
    ),
    path("<slug:reference>/checklist/", views.save_expert_checklist, name="checklist"),
    path("<slug:reference>/take/", expert_assignment.take_request, name="take"),
    path("<slug:reference>/recuse/", expert_assignment.recuse_from_request, name="recuse"),
    path("<slug:reference>/assign/", expert_assignment.assign_chosen_expert, name="assign"),
    path("<slug:reference>/invite/", expert_assignment.show_adviser_invitation, name="invite"),
    path("<slug:reference>/assign/rota/", expert_assignment.assign_next_on_rota, name="rota"),
]
