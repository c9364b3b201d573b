"""The programming interface."""

from django.urls import include, path, re_path

from registry.api import (
    account,
    co_editors,
    discussion,
    events,
    index,
    locator_tables,
    namespaces,
    organizations,
    organizations as bodies,
    recognition,
    requests,
    reviewing,
    services,
    sightings,
    vocabularies,
    webhooks,
)
from registry.api.discussion import (
    MessagesView,
    RemarkAnswerView,
    RemarkSettlementView,
    RemarksView,
)
from registry.api.drafts import DraftView, TemplateReadView
from registry.api.requests import (
    RequestsView,
    RequestView,
    VerbView,
)
from registry.api.urns import (
    CheckView,
    CompareView,
    FindView,
    ParseView,
    ReferenceView,
)
from registry.api.views import NothingView, SchemaView

app_name = "api"

NAMESPACE_PATTERNS = [
    path("", namespaces.NamespacesView.as_view(), name="namespaces"),
    path("<str:nid>/", namespaces.NamespaceView.as_view(), name="namespace"),
    path("<str:nid>/versions/", namespaces.VersionsView.as_view(), name="versions"),
    path("<str:nid>/versions/<int:number>/", namespaces.VersionView.as_view(), name="version"),
    path("<str:nid>/events/", events.NamespaceEventsView.as_view(), name="namespace-events"),
    path("<str:nid>/locators/", locator_tables.LocatorsView.as_view(), name="locators"),
    path("<str:nid>/services/", services.NamespaceServicesView.as_view(), name="services-of"),
]
REQUEST_PATTERNS = [
    path("", RequestsView.as_view(), name="requests"),
    path("<slug:reference>/", RequestView.as_view(), name="request"),
    path("<slug:reference>/rounds/", requests.RoundsView.as_view(), name="rounds"),
    path("<slug:reference>/rounds/<int:number>/", requests.RoundView.as_view(), name="round"),
    path(
        "<slug:reference>/rounds/<int:number>/findings/",
        requests.FindingsView.as_view(),
        name="findings",
    ),
    path("<slug:reference>/draft/", DraftView.as_view(), name="draft"),
    path("<slug:reference>/verbs/<str:verb>/", VerbView.as_view(), name="verb"),
    path("<slug:reference>/rota/", reviewing.RotaView.as_view(), name="rota"),
    path("<slug:reference>/checklist/", reviewing.ChecklistView.as_view(), name="checklist"),
    path("<slug:reference>/notes/", discussion.NotesView.as_view(), name="notes"),
    path("<slug:reference>/messages/", MessagesView.as_view(), name="messages"),
    re_path(
        r"^(?P<reference>[-\w]+)/messages/(?P<number>[0-9]{1,9})/(?P<act>hide|show)/$",
        discussion.ModerationView.as_view(),
        name="moderate",
    ),
    path("<slug:reference>/remarks/", RemarksView.as_view(), name="remarks"),
    path(
        "<slug:reference>/remarks/<int:number>/answer/", RemarkAnswerView.as_view(), name="answer"
    ),
    re_path(
        r"^(?P<reference>[-\w]+)/remarks/(?P<number>[0-9]{1,9})/(?P<act>drop|reopen)/$",
        RemarkSettlementView.as_view(),
        name="settle",
    ),
    path("<slug:reference>/writers/", co_editors.WritersView.as_view(), name="writers"),
    path(
        "<slug:reference>/invitations/", co_editors.InvitationsView.as_view(), name="invitations-to"
    ),
    path(
        "<slug:reference>/invitations/<int:pk>/",
        co_editors.InvitationView.as_view(),
        name="invitation",
    ),
    path(
        "<slug:reference>/co-editors/<int:pk>/", co_editors.CoEditorView.as_view(), name="co-editor"
    ),
    path(
        "<slug:reference>/recognition/",
        recognition.RecognitionRequestView.as_view(),
        name="recognition-ask",
    ),
]
ORGANIZATION_PATTERNS = [
    path("", bodies.OrganizationsView.as_view(), name="organizations"),
    path("<int:pk>/", organizations.OrganizationView.as_view(), name="organization"),
    path("<int:pk>/delegates/", organizations.DelegatesView.as_view(), name="delegates"),
    path(
        "<int:pk>/delegates/<int:delegate>/remove/",
        organizations.DelegateView.as_view(),
        name="delegate-remove",
    ),
    path("<int:pk>/proofs/", recognition.ProofsView.as_view(), name="proofs"),
    path("<int:pk>/agree/", recognition.DelegateAgreementView.as_view(), name="agree"),
]
PROOF_PATTERNS = [
    path("<int:number>/", recognition.ProofView.as_view(), name="proof"),
    path("<int:number>/look/", recognition.ProofLookUpView.as_view(), name="proof-look"),
    path(
        "<int:number>/confirm/", recognition.ProofConfirmationView.as_view(), name="proof-confirm"
    ),
]
RECOGNITION_PATTERNS = [
    path("", recognition.RecognitionsView.as_view(), name="recognitions"),
    path(
        "<int:pk>/answer/", recognition.RecognitionAnswerView.as_view(), name="recognition-answer"
    ),
]
SIGHTING_PATTERNS = [
    path("", sightings.SightingsView.as_view(), name="sightings"),
    path("<int:pk>/", sightings.SightingView.as_view(), name="sighting"),
    path("<int:pk>/notify/", sightings.SightingNotificationView.as_view(), name="sighting-notify"),
    path(
        "<int:pk>/withdraw/", sightings.SightingWithdrawalView.as_view(), name="sighting-withdraw"
    ),
]
SERVICE_PATTERNS = [
    path("", services.ServicesView.as_view(), name="services"),
    path("<int:pk>/", services.ServiceView.as_view(), name="service"),
    path("<int:pk>/withdraw/", services.ServiceWithdrawalView.as_view(), name="service-withdraw"),
    path("<int:pk>/probe/", services.ServiceProbeView.as_view(), name="service-probe"),
]
VOCABULARY_PATTERNS = [
    path("query-keywords/", vocabularies.KeywordsView.as_view(), name="query-keywords"),
    path("query-keywords/<str:word>/", vocabularies.KeywordView.as_view(), name="query-keyword"),
    path("service-designators/", vocabularies.DesignatorsView.as_view(), name="designators"),
    path(
        "service-designators/<str:word>/", vocabularies.DesignatorView.as_view(), name="designator"
    ),
]
ACCOUNT_PATTERNS = [
    path("", account.AccountView.as_view(), name="account"),
    path("tokens/", account.TokensView.as_view(), name="tokens"),
    path("tokens/<uuid:key>/", account.TokenView.as_view(), name="token"),
    path("hooks/", webhooks.WebhooksView.as_view(), name="hooks"),
    path("hooks/<int:pk>/", webhooks.WebhookView.as_view(), name="hook"),
    path("hooks/<int:pk>/deliveries/", webhooks.DeliveriesView.as_view(), name="deliveries"),
    path(
        "hooks/<int:pk>/deliveries/<int:delivery>/",
        webhooks.DeliveryView.as_view(),
        name="delivery",
    ),
    path(
        "hooks/<int:pk>/deliveries/<int:delivery>/again/",
        webhooks.RedeliveryView.as_view(),
        name="again",
    ),
    path("hooks/<int:pk>/<str:act>/", webhooks.WebhookActView.as_view(), name="hook-act"),
    path("follows/", account.FollowsView.as_view(), name="follows"),
    path("follows/<int:pk>/", account.FollowView.as_view(), name="follow"),
    path("invitations/", co_editors.OwnInvitationsView.as_view(), name="invitations"),
    path("invitations/<int:pk>/join/", co_editors.InvitationAcceptanceView.as_view(), name="join"),
    path("absences/", reviewing.AbsencesView.as_view(), name="absences"),
    path("absences/<int:pk>/", reviewing.AbsenceView.as_view(), name="absence"),
    path("conflicts/", reviewing.ConflictsView.as_view(), name="conflicts"),
    path("conflicts/<int:pk>/", reviewing.ConflictView.as_view(), name="conflict"),
]
URN_PATTERNS = [
    path("parse/", ParseView.as_view(), name="urn-parse"),
    path("compare/", CompareView.as_view(), name="urn-compare"),
    path("resolve-reference/", ReferenceView.as_view(), name="urn-resolve-reference"),
    path("find/", FindView.as_view(), name="urn-find"),
    path("check/", CheckView.as_view(), name="urn-check"),
]
urlpatterns = [
    path("", index.show_api_index, name="index"),
    path("schema/", SchemaView.as_view(), name="schema"),
    path("v1/namespaces/", include(NAMESPACE_PATTERNS)),
    path("v1/requests/", include(REQUEST_PATTERNS)),
    path("v1/templates/read/", TemplateReadView.as_view(), name="template-read"),
    path("v1/events/", events.EventsView.as_view(), name="events"),
    path("v1/organizations/", include(ORGANIZATION_PATTERNS)),
    path("v1/proofs/", include(PROOF_PATTERNS)),
    path("v1/recognitions/", include(RECOGNITION_PATTERNS)),
    path("v1/services/", include(SERVICE_PATTERNS)),
    path("v1/", include(VOCABULARY_PATTERNS)),
    path("v1/sightings/", include(SIGHTING_PATTERNS)),
    path("v1/figures/", requests.FiguresView.as_view(), name="figures"),
    path("v1/account/", include(ACCOUNT_PATTERNS)),
    path("v1/urn/", include(URN_PATTERNS)),
    re_path(r"^v1/", NothingView.as_view(), name="nothing"),
]
