"""The API's addresses."""

from django.urls import include, path, re_path
from rest_framework.routers import SimpleRouter

from registry import disputes, held_nids, sightings
from registry.api import (
    account,
    co_editors,
    discussion,
    drafts,
    enquiries,
    events,
    holder,
    iana,
    index,
    locator_tables,
    log,
    namespaces,
    office,
    organizations,
    recognition,
    requests,
    reviewing,
    services,
    urns,
    vocabularies,
    webhooks,
)
from registry.api.views import NothingView, SchemaView

app_name = "api"

router = SimpleRouter(use_regex_path=False)
router.register("namespaces", namespaces.NamespaceViewSet, "namespace")
router.register("namespaces/<str:nid>/versions", namespaces.VersionViewSet, "version")
router.register("namespaces/<str:nid>/records", namespaces.ImportedRecordViewSet, "record")
router.register("namespaces/<str:nid>/errata", namespaces.ErratumViewSet, "erratum")
router.register("namespaces/<str:nid>/events", events.NamespaceEventViewSet, "namespace-event")
router.register(
    "namespaces/<str:nid>/services", services.NamespaceServiceViewSet, "namespace-service"
)
router.register("namespaces/<str:nid>/disputes", disputes.DisputeViewSet, "dispute")
router.register("requests", requests.RequestViewSet, "request")
router.register("requests/<slug:reference>/rounds", requests.RoundViewSet, "round")
router.register("requests/<slug:reference>/notes", discussion.NoteViewSet, "note")
router.register("requests/<slug:reference>/messages", discussion.MessageViewSet, "message")
router.register(
    "requests/<slug:reference>/pending-comments",
    discussion.PendingCommentViewSet,
    "pending-comment",
)
router.register("requests/<slug:reference>/remarks", discussion.RemarkViewSet, "remark")
router.register("requests/<slug:reference>/invitations", co_editors.InvitationViewSet, "invitation")
router.register("requests/<slug:reference>/co-editors", co_editors.CoEditorViewSet, "co-editor")
router.register("events", events.EventViewSet, "event")
router.register("organizations", organizations.OrganizationViewSet, "organization")
router.register("speakers", holder.SpeakerViewSet, "speaker")
router.register("proofs", recognition.ProofViewSet, "proof")
router.register("recognitions", recognition.RecognitionViewSet, "recognition")
router.register("services", services.ServiceViewSet, "service")
router.register("query-keywords", vocabularies.KeywordViewSet, "query-keyword")
router.register("service-designators", vocabularies.DesignatorViewSet, "service-designator")
router.register("sightings", sightings.SightingViewSet, "sighting")
router.register("experts", reviewing.ExpertViewSet, "expert")
router.register("enquiries", enquiries.EnquiryViewSet, "enquiry")
router.register("entry-faults", office.EntryFaultViewSet, "entry-fault")
router.register("held-nids", held_nids.HeldNidViewSet, "held-nid")
router.register("figures", requests.FigureViewSet, "figure")
router.register("account/tokens", account.TokenViewSet, "token")
# Before the webhooks, whose pattern for actions matches any word.
router.register("account/hooks/<int:pk>/deliveries", webhooks.DeliveryViewSet, "delivery")
router.register("account/hooks", webhooks.WebhookViewSet, "hook")
router.register("account/follows", account.FollowViewSet, "follow")
router.register("account/invitations", co_editors.OwnInvitationViewSet, "own-invitation")
router.register("account/absences", reviewing.AbsenceViewSet, "absence")
router.register("account/conflicts", reviewing.ConflictViewSet, "conflict")

# Single resources without a list, and questions about names.
REQUEST_PATTERNS = [
    path("draft/", drafts.DraftView.as_view(), name="draft"),
    path("rota/", reviewing.RotaView.as_view(), name="rota"),
    path("advisers/", reviewing.AdviserInvitationView.as_view(), name="advisers"),
    path("checklist/", reviewing.ChecklistView.as_view(), name="checklist"),
    path("writers/", co_editors.WritersView.as_view(), name="writers"),
    path("recognition/", recognition.RecognitionRequestView.as_view(), name="recognition-ask"),
]
URN_PATTERNS = [
    path("parse/", urns.ParseView.as_view(), name="urn-parse"),
    path("compare/", urns.CompareView.as_view(), name="urn-compare"),
    path("resolve-reference/", urns.ReferenceView.as_view(), name="urn-resolve-reference"),
    path("normalize/", urns.NormalizeView.as_view(), name="urn-normalize"),
    path("validate/", urns.ValidateView.as_view(), name="urn-validate"),
    path("convert/", urns.ConvertView.as_view(), name="urn-convert"),
    path("build/", urns.BuildView.as_view(), name="urn-build"),
    path("locate/", urns.LocateView.as_view(), name="urn-locate"),
    path("identifier/", urns.IdentifierView.as_view(), name="urn-identifier"),
    path("find/", urns.FindView.as_view(), name="urn-find"),
    path("resolve/", urns.ResolveView.as_view(), name="urn-resolve"),
    path("check/", urns.CheckView.as_view(), name="urn-check"),
]
urlpatterns = [
    path("", index.show_api_index, name="index"),
    path("problems/", index.show_problem_kinds, name="problems"),
    path("versions/", index.show_api_versions, name="versions"),
    path("schema/", SchemaView.as_view(), name="schema"),
    path("v1/", index.APIRootView.as_view(), name="root"),
    path("v1/", include(router.urls)),
    path(
        "v1/organizations/<int:pk>/speakers/",
        holder.OrganizationSpeakersView.as_view(),
        name="organization-speakers",
    ),
    path(
        "v1/namespaces/<str:nid>/holder/",
        holder.NamespaceHolderView.as_view(),
        name="namespace-holder",
    ),
    path(
        "v1/namespaces/<str:nid>/locators/", locator_tables.LocatorsView.as_view(), name="locators"
    ),
    path(
        "v1/namespaces/<str:nid>/supported-by/",
        services.KeywordSupportView.as_view(),
        name="keyword-support",
    ),
    path(
        "v1/namespaces/<str:nid>/contact-confirmation/",
        office.ContactConfirmationView.as_view(),
        name="contact-confirmation",
    ),
    path(
        "v1/namespaces/<str:nid>/iana-reference/",
        office.IanaReferenceView.as_view(),
        name="iana-reference",
    ),
    path("v1/log/", log.LogView.as_view(), name="log"),
    path("v1/log/entries/<int:number>/", log.LogEntryView.as_view(), name="log-entry"),
    path(
        "v1/log/consistency/<int:first>/<int:second>/",
        log.LogGrowthView.as_view(),
        name="log-consistency",
    ),
    path("v1/iana/", iana.IANADifferencesView.as_view(), name="iana"),
    path("v1/iana/enter/", iana.IANAEnterView.as_view(), name="iana-enter"),
    path("v1/iana/set-aside/", iana.IANASetAsideView.as_view(), name="iana-set-aside"),
    path("v1/requests/<slug:reference>/", include(REQUEST_PATTERNS)),
    path("v1/namespaces/<str:nid>/link-check/", office.LinkCheckView.as_view(), name="link-check"),
    path("v1/templates/read/", drafts.TemplateReadView.as_view(), name="template-read"),
    path("v1/account/", account.AccountView.as_view(), name="account"),
    path("v1/urn/", include(URN_PATTERNS)),
    re_path(r"^v1/", NothingView.as_view(), name="nothing"),
]
