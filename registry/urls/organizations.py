"""Organizations, and who acts for them."""

from django.urls import path

from registry.views import organizations, proofs

app_name = "organizations"
urlpatterns = [
    path("", organizations.index, name="index"),
    path("<int:pk>/", organizations.detail, name="detail"),
    path("<int:pk>/delegates/", organizations.delegates, name="delegates"),
    path("<int:pk>/delegates/<int:delegate>/remove/", organizations.remove, name="remove"),
    path("<int:pk>/website/", organizations.website, name="website"),
    path("<int:pk>/prove/", proofs.prove, name="prove"),
    path("<int:pk>/prove/<int:number>/", proofs.proof, name="proof"),
    path("<int:pk>/prove/<int:number>/<str:secret>/", proofs.confirm, name="confirm"),
]
