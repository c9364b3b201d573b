"""Organizations, and who acts for them."""

from django.urls import path

from registry.web.organizations import changes, evidence, views

app_name = "organizations"
urlpatterns = [
    path("", views.list_organizations, name="index"),
    path("<int:pk>/", views.show_organization, name="detail"),
    path("<int:pk>/delegates/", views.edit_delegates, name="delegates"),
    path("<int:pk>/delegates/<int:delegate>/remove/", views.show_delegate_removal, name="remove"),
    path("<int:pk>/changes/<int:number>/", changes.show_change, name="change"),
    path("<int:pk>/changes/<int:number>/stop/<str:word>/", changes.show_change_stop, name="stop"),
    path("<int:pk>/evidence/", evidence.edit_evidence, name="evidence"),
    path("<int:pk>/website/", views.edit_website, name="website"),
    path("<int:pk>/prove/", views.start_proof, name="prove"),
    path("<int:pk>/prove/<int:number>/", views.show_proof, name="proof"),
    path(
        "<int:pk>/prove/<int:number>/<str:secret>/", views.show_proof_confirmation, name="confirm"
    ),
]
