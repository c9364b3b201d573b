"""Requests: public pages and the editor."""

from django.urls import path, re_path

from registry.http.file_responses import TEMPLATE_FORMAT_PATTERN
from registry.http.formats import make_format_pattern
from registry.web.direction import views as direction
from registry.web.requests import (
    co_editors,
    discussion,
    editor,
    facts,
    holder,
    new_request,
    steps,
    submission,
    template_upload,
    views,
)
from registry.web.review import remarks

app_name = "requests"
urlpatterns = [
    path("", views.list_requests, name="index"),
    path("new/", new_request.show_new_request, name="new"),
    path("new/nid/", new_request.show_nid_check, name="nid"),
    path("new/template/", template_upload.start_from_template, name="begin"),
    path("figures/", views.show_figures, name="figures"),
    path("figures.csv", views.serve_figures_csv, name="figures_csv"),
    path("keep/<str:word>/", steps.show_keep, name="keep"),
    path("<slug:reference>/", views.show_request, name="detail"),
    path("<slug:reference>/template/", views.show_request_template, name="template"),
    path("<slug:reference>/changes/<int:a>..<int:b>/", views.show_round_comparison, name="changes"),
    path("<slug:reference>/beside/<slug:other>/", views.show_side_by_side, name="beside"),
    path("<slug:reference>/history/", views.show_request_history, name="history"),
    path("<slug:reference>/fresh/", views.show_freshness, name="fresh"),
    path("<slug:reference>/comment/", discussion.post_comment, name="comment"),
    path("<slug:reference>/comment/<int:key>/back/", discussion.post_take_back, name="take_back"),
    path(
        "<slug:reference>/messages/<int:number>/hide/",
        discussion.show_hide_message,
        name="hide_message",
    ),
    path(
        "<slug:reference>/messages/<int:number>/show/",
        discussion.show_unhide_message,
        name="show_message",
    ),
    path("<slug:reference>/note/", editor.dismiss_note, name="dismiss"),
    path("<slug:reference>/note/<int:key>/again/", editor.post_note_again, name="show_note"),
    path("<slug:reference>/edit/<slug:section>/", editor.edit_draft, name="edit"),
    path("<slug:reference>/update/", editor.update_draft, name="update"),
    path("<slug:reference>/facts/", facts.edit_facts, name="facts"),
    path("<slug:reference>/recognition/", direction.show_recognition_request, name="recognition"),
    path("<slug:reference>/people/", co_editors.edit_co_editors, name="people"),
    path(
        "<slug:reference>/remarks/<int:number>/answer/",
        remarks.edit_remark_answer,
        name="answer",
    ),
    path("<slug:reference>/paste/", template_upload.upload_template, name="paste"),
    re_path(
        rf"^(?P<reference>[-\w]+)/rounds/(?P<number>[0-9]{{1,9}})\.{make_format_pattern('round')}$",
        views.serve_round,
        name="round_file",
    ),
    path("<slug:reference>/rounds/<int:number>/", views.redirect_to_round, name="round"),
    re_path(
        rf"^(?P<reference>[-\w]+)\.{make_format_pattern('request')}$",
        views.serve_request,
        name="file",
    ),
    re_path(
        rf"^(?P<reference>[-\w]+)/preview\.{TEMPLATE_FORMAT_PATTERN}$",
        submission.serve_draft,
        name="preview_file",
    ),
    path("<slug:reference>/preview/", submission.preview_draft, name="preview"),
    path("<slug:reference>/preview/changes/", submission.show_draft_changes, name="draft_changes"),
    path("<slug:reference>/send/", submission.show_submission, name="send"),
    path("<slug:reference>/object/<str:word>/", holder.show_contact_objection, name="object"),
    path("<slug:reference>/act/<str:verb>/", steps.show_step, name="act"),
]
