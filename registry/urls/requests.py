"""Requests: public pages and the editor."""

from django.urls import path, re_path

from registry.exports.forms import endings
from registry.views import (
    answering,
    co_editors,
    discussion,
    editing,
    facts,
    figures,
    pasting,
    recognition,
    request_forms,
    requests,
    sending,
    starting,
    steps,
)
from registry.views.plain import FORM

app_name = "requests"
urlpatterns = [
    path("", requests.index, name="index"),
    path("new/", starting.new, name="new"),
    path("new/nid/", starting.nid, name="nid"),
    path("new/template/", pasting.begin, name="begin"),
    path("figures/", figures.index, name="figures"),
    path("figures.csv", figures.as_csv, name="figures_csv"),
    path("<slug:reference>/", requests.detail, name="detail"),
    path("<slug:reference>/template/", requests.template, name="template"),
    path("<slug:reference>/changes/<int:a>..<int:b>/", requests.changes, name="changes"),
    path("<slug:reference>/history/", requests.history, name="history"),
    path("<slug:reference>/fresh/", requests.fresh, name="fresh"),
    path("<slug:reference>/comment/", discussion.comment, name="comment"),
    path("<slug:reference>/messages/<int:number>/hide/", discussion.hide, name="hide_message"),
    path("<slug:reference>/messages/<int:number>/show/", discussion.show, name="show_message"),
    path("<slug:reference>/edit/<slug:section>/", editing.edit, name="edit"),
    path("<slug:reference>/facts/", facts.edit, name="facts"),
    path("<slug:reference>/recognition/", recognition.ask, name="recognition"),
    path("<slug:reference>/people/", co_editors.people, name="people"),
    path("<slug:reference>/remarks/<int:number>/answer/", answering.answer, name="answer"),
    path("<slug:reference>/paste/", pasting.paste, name="paste"),
    re_path(
        rf"^(?P<reference>[-\w]+)/rounds/(?P<number>[0-9]{{1,9}})\.{endings('round')}$",
        request_forms.round_file,
        name="round_file",
    ),
    path("<slug:reference>/rounds/<int:number>/", requests.round_page, name="round"),
    re_path(rf"^(?P<reference>[-\w]+)\.{endings('request')}$", request_forms.file, name="file"),
    re_path(rf"^(?P<reference>[-\w]+)/preview\.{FORM}$", sending.preview_file, name="preview_file"),
    path("<slug:reference>/preview/", sending.preview, name="preview"),
    path("<slug:reference>/preview/changes/", sending.draft_changes, name="draft_changes"),
    path("<slug:reference>/send/", sending.send, name="send"),
    path("<slug:reference>/act/<str:verb>/", steps.act, name="act"),
]
