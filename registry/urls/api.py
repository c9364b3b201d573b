"""The programming interface."""

from django.urls import include, path, re_path

from registry.api import hooks, locators
from registry.api.acts import (
    account,
    discussing,
    following,
    judging,
    organizations,
    proofs,
    recognition,
    sightings,
    standing,
    writers,
)
from registry.api.nothing import Nothing
from registry.api.reading import events, figures, namespaces, organizations as bodies, rounds
from registry.api.requests.drafts import DraftView
from registry.api.requests.templates import TemplateReadView
from registry.api.requests.views import RequestsView, RequestView, VerbView
from registry.api.requests.writing import AnswerView, MessagesView, RemarksView, SettleView
from registry.api.resolution import services, vocabularies
from registry.api.schema import SchemaView
from registry.api.urn.checking import CheckView
from registry.api.urn.views import CompareView, FindView, ParseView, ReferenceView
from registry.views import api

app_name = "api"

OF_NAMESPACES = [
    path("", namespaces.NamespacesView.as_view(), name="namespaces"),
    path("<str:nid>/", namespaces.NamespaceView.as_view(), name="namespace"),
    path("<str:nid>/versions/", namespaces.VersionsView.as_view(), name="versions"),
    path("<str:nid>/versions/<int:number>/", namespaces.VersionView.as_view(), name="version"),
    path("<str:nid>/events/", events.NamespaceEventsView.as_view(), name="namespace-events"),
    path("<str:nid>/locators/", locators.LocatorsView.as_view(), name="locators"),
    path("<str:nid>/services/", services.NamespaceServicesView.as_view(), name="services-of"),
]
OF_REQUESTS = [
    path("", RequestsView.as_view(), name="requests"),
    path("<slug:reference>/", RequestView.as_view(), name="request"),
    path("<slug:reference>/rounds/", rounds.RoundsView.as_view(), name="rounds"),
    path("<slug:reference>/rounds/<int:number>/", rounds.RoundView.as_view(), name="round"),
    path(
        "<slug:reference>/rounds/<int:number>/findings/",
        rounds.FindingsView.as_view(),
        name="findings",
    ),
    path("<slug:reference>/draft/", DraftView.as_view(), name="draft"),
    path("<slug:reference>/verbs/<str:verb>/", VerbView.as_view(), name="verb"),
    path("<slug:reference>/rota/", judging.RotaView.as_view(), name="rota"),
    path("<slug:reference>/checklist/", judging.ChecklistView.as_view(), name="checklist"),
    path("<slug:reference>/notes/", discussing.NotesView.as_view(), name="notes"),
    path("<slug:reference>/messages/", MessagesView.as_view(), name="messages"),
    re_path(
        r"^(?P<reference>[-\w]+)/messages/(?P<number>[0-9]{1,9})/(?P<act>hide|show)/$",
        discussing.ModerationView.as_view(),
        name="moderate",
    ),
    path("<slug:reference>/remarks/", RemarksView.as_view(), name="remarks"),
    path("<slug:reference>/remarks/<int:number>/answer/", AnswerView.as_view(), name="answer"),
    re_path(
        r"^(?P<reference>[-\w]+)/remarks/(?P<number>[0-9]{1,9})/(?P<act>drop|reopen)/$",
        SettleView.as_view(),
        name="settle",
    ),
    path("<slug:reference>/writers/", writers.WritersView.as_view(), name="writers"),
    path("<slug:reference>/invitations/", writers.InvitationsView.as_view(), name="invitations-to"),
    path(
        "<slug:reference>/invitations/<int:pk>/",
        writers.InvitationView.as_view(),
        name="invitation",
    ),
    path("<slug:reference>/co-editors/<int:pk>/", writers.CoEditorView.as_view(), name="co-editor"),
    path("<slug:reference>/recognition/", recognition.AskView.as_view(), name="recognition-ask"),
]
OF_ORGANIZATIONS = [
    path("", bodies.OrganizationsView.as_view(), name="organizations"),
    path("<int:pk>/", organizations.OrganizationView.as_view(), name="organization"),
    path("<int:pk>/delegates/", organizations.DelegatesView.as_view(), name="delegates"),
    path(
        "<int:pk>/delegates/<int:delegate>/remove/",
        organizations.DelegateView.as_view(),
        name="delegate-remove",
    ),
    path("<int:pk>/proofs/", proofs.ProofsView.as_view(), name="proofs"),
    path("<int:pk>/agree/", proofs.AgreeView.as_view(), name="agree"),
]
OF_PROOFS = [
    path("<int:number>/", proofs.ProofView.as_view(), name="proof"),
    path("<int:number>/look/", proofs.LookView.as_view(), name="proof-look"),
    path("<int:number>/confirm/", proofs.ConfirmView.as_view(), name="proof-confirm"),
]
OF_RECOGNITIONS = [
    path("", recognition.RecognitionsView.as_view(), name="recognitions"),
    path("<int:pk>/answer/", recognition.AnswerView.as_view(), name="recognition-answer"),
]
OF_SIGHTINGS = [
    path("", sightings.SightingsView.as_view(), name="sightings"),
    path("<int:pk>/", sightings.SightingView.as_view(), name="sighting"),
    path("<int:pk>/notify/", sightings.NotifyView.as_view(), name="sighting-notify"),
    path("<int:pk>/withdraw/", sightings.WithdrawView.as_view(), name="sighting-withdraw"),
]
OF_SERVICES = [
    path("", services.ServicesView.as_view(), name="services"),
    path("<int:pk>/", services.ServiceView.as_view(), name="service"),
    path("<int:pk>/withdraw/", services.WithdrawView.as_view(), name="service-withdraw"),
    path("<int:pk>/probe/", services.ProbeView.as_view(), name="service-probe"),
]
OF_VOCABULARIES = [
    path("query-keywords/", vocabularies.KeywordsView.as_view(), name="query-keywords"),
    path("query-keywords/<str:word>/", vocabularies.KeywordView.as_view(), name="query-keyword"),
    path("service-designators/", vocabularies.DesignatorsView.as_view(), name="designators"),
    path(
        "service-designators/<str:word>/", vocabularies.DesignatorView.as_view(), name="designator"
    ),
]
OF_ACCOUNT = [
    path("", account.AccountView.as_view(), name="account"),
    path("tokens/", account.TokensView.as_view(), name="tokens"),
    path("tokens/<uuid:key>/", account.TokenView.as_view(), name="token"),
    path("hooks/", hooks.HooksView.as_view(), name="hooks"),
    path("hooks/<int:pk>/", hooks.HookView.as_view(), name="hook"),
    path("hooks/<int:pk>/deliveries/", hooks.DeliveriesView.as_view(), name="deliveries"),
    path(
        "hooks/<int:pk>/deliveries/<int:delivery>/",
        hooks.DeliveryView.as_view(),
        name="delivery",
    ),
    path(
        "hooks/<int:pk>/deliveries/<int:delivery>/again/", hooks.AgainView.as_view(), name="again"
    ),
    path("hooks/<int:pk>/<str:act>/", hooks.HookActView.as_view(), name="hook-act"),
    path("follows/", following.FollowsView.as_view(), name="follows"),
    path("follows/<int:pk>/", following.FollowView.as_view(), name="follow"),
    path("invitations/", writers.OwnInvitationsView.as_view(), name="invitations"),
    path("invitations/<int:pk>/join/", writers.JoinView.as_view(), name="join"),
    path("absences/", standing.AbsencesView.as_view(), name="absences"),
    path("absences/<int:pk>/", standing.AbsenceView.as_view(), name="absence"),
    path("conflicts/", standing.ConflictsView.as_view(), name="conflicts"),
    path("conflicts/<int:pk>/", standing.ConflictView.as_view(), name="conflict"),
]
OF_URNS = [
    path("parse/", ParseView.as_view(), name="urn-parse"),
    path("compare/", CompareView.as_view(), name="urn-compare"),
    path("resolve-reference/", ReferenceView.as_view(), name="urn-resolve-reference"),
    path("find/", FindView.as_view(), name="urn-find"),
    path("check/", CheckView.as_view(), name="urn-check"),
]
urlpatterns = [
    path("", api.index, name="index"),
    path("schema/", SchemaView.as_view(), name="schema"),
    path("v1/namespaces/", include(OF_NAMESPACES)),
    path("v1/requests/", include(OF_REQUESTS)),
    path("v1/templates/read/", TemplateReadView.as_view(), name="template-read"),
    path("v1/events/", events.EventsView.as_view(), name="events"),
    path("v1/organizations/", include(OF_ORGANIZATIONS)),
    path("v1/proofs/", include(OF_PROOFS)),
    path("v1/recognitions/", include(OF_RECOGNITIONS)),
    path("v1/services/", include(OF_SERVICES)),
    path("v1/", include(OF_VOCABULARIES)),
    path("v1/sightings/", include(OF_SIGHTINGS)),
    path("v1/figures/", figures.FiguresView.as_view(), name="figures"),
    path("v1/account/", include(OF_ACCOUNT)),
    path("v1/urn/", include(OF_URNS)),
    re_path(r"^v1/", Nothing.as_view(), name="nothing"),
]
