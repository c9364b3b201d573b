"""Questions about URNs and their answers: `valid` means RFC 8141 alone; positions count from 0."""

from __future__ import annotations

from collections.abc import Set
from typing import Any, ClassVar

from django.utils.translation import gettext_lazy as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

from registry import inspection
from registry.http.query_string import QueryStringError, read_query
from registry.inspection import (
    ComparedPair,
    Inspection,
    InspectionVerdict,
    NameResult,
    NamespaceFinding,
    ReferenceTarget,
    SpecificationReading,
    URIReading,
    WrittenURN,
    draw,
)
from registry.models import Namespace, Sighting
from registry.namespace_rules import NameEquivalence, NamePart
from registry.namespace_rules.suggestions import SuggestedName
from registry.selectors import SimilarNid
from registry.serializers.base import NullableTextField
from registry.urn import (
    DisplayForm,
    Finding,
    Found,
    Repair,
    URNSyntaxError,
    advise_on_urn,
    display,
    parse,
    spec,
    uri,
)


class NamespaceOfNameSerializer(serializers.ModelSerializer[Namespace]):
    """The registered namespace of a name."""

    url = serializers.HyperlinkedIdentityField(
        view_name="api:namespace-detail", lookup_field="nid", lookup_url_kwarg="nid"
    )
    page = serializers.HyperlinkedIdentityField(
        view_name="namespaces:detail", lookup_field="nid", lookup_url_kwarg="nid"
    )

    notice = NullableTextField(read_only=True)
    summary = NullableTextField(read_only=True)

    class Meta:
        model = Namespace
        fields = ["nid", "kind", "status", "notice", "summary", "url", "page"]
        read_only_fields = fields


class NearSerializer(serializers.Serializer[SimilarNid]):
    """A registered NID that resembles an unregistered one."""

    nid = serializers.CharField()
    reason = serializers.CharField()
    page = serializers.SerializerMethodField()

    def get_page(self, near: SimilarNid) -> str:
        """Return the address of its page."""
        return str(self.context["request"].build_absolute_uri(near.url))


class SightingOfNidSerializer(serializers.ModelSerializer[Sighting]):
    """Where an unregistered NID was seen in use."""

    url = serializers.HyperlinkedIdentityField(view_name="api:sighting-detail")
    user_of_it = NullableTextField(read_only=True)

    class Meta:
        model = Sighting
        fields = ["nid", "evidence", "user_of_it", "url"]
        read_only_fields = fields


class ProblemSerializer(serializers.Serializer[URNSyntaxError | uri.URISyntaxError]):
    """One reason why a text is not a URN or a URI, and where."""

    position = serializers.IntegerField()
    component = serializers.CharField()
    rule = serializers.CharField()
    message = serializers.CharField()


class URNProblemSerializer(ProblemSerializer):
    """One reason why a text is not a URN, and how to fix it."""

    mend = serializers.CharField()


class RepairSerializer(serializers.Serializer[Repair | SuggestedName]):
    """A URN that may have been meant. A proposal, never applied automatically."""

    text = serializers.CharField()
    changes = serializers.ListField(child=serializers.CharField())


class DisplaySerializer(serializers.Serializer[DisplayForm]):
    """The form for people to read (section 4.4); not canonical, and possibly not a URN."""

    text = serializers.CharField()
    is_exact = serializers.BooleanField()


class SpecificationSerializer(serializers.Serializer[SpecificationReading]):
    """How one specification of URN syntax reads the text."""

    name = serializers.CharField(source="title")
    valid = serializers.BooleanField(source="reading.is_valid")
    position = serializers.IntegerField(source="reading.error.position", allow_null=True)
    message = serializers.CharField(source="reading.error.message", allow_null=True)
    parts = serializers.DictField(source="reading.parts", child=serializers.CharField())
    cautions = serializers.ListField(source="reading.cautions", child=serializers.CharField())
    converted = serializers.SerializerMethodField()

    def get_converted(self, specification: SpecificationReading) -> str | None:
        """Return the text converted to RFC 8141's syntax, if that is another text."""
        return specification.converted or None


class PartSerializer(serializers.Serializer[NamePart]):
    """A part of the name within its namespace: what it is, and its meaning if known."""

    name = serializers.CharField()
    text = serializers.CharField()
    meaning = NullableTextField()


class NamespaceFindingSerializer(serializers.Serializer[NamespaceFinding]):
    """What the namespace's rule says about a URN. It is a URN whatever this says.

    `standing` is “follows”, “against”, “doubtful” (for people to decide), “not decided” or “no
    rule”. `position` counts from 0 in the URN as it was written; `document` is the rule's source,
    and `left_open` what the rule does not check.
    """

    standing = serializers.CharField()
    check_id = serializers.CharField(source="ruling.check", default=None, allow_null=True)
    message = NullableTextField()
    document = NullableTextField()
    position = serializers.IntegerField(allow_null=True)
    parts = PartSerializer(many=True)
    left_open = NullableTextField()


class NameSerializer(serializers.Serializer[Inspection]):
    """A text as a URN: whether it is one, whether its namespace is registered, and its parts.

    The answers are separate: `valid` is RFC 8141 alone, `registered` and `namespace` are what the
    registry knows, and `finding` is what the rule of a registered namespace says about the name.
    `canonical` is the form of section 3.1, `preferred` the whole URN as its namespace prefers it.
    `position`, `component`, `rule` and `message` are those of the first of `problems`. `repairs`
    are names that may have been meant; none of them breaks its rule, unless all would.
    """

    text = serializers.CharField()
    valid = serializers.SerializerMethodField()
    registered = serializers.SerializerMethodField()
    namespace = serializers.SerializerMethodField()
    near = NearSerializer(many=True)
    finding = serializers.SerializerMethodField()
    canonical = serializers.CharField(source="urn.assigned_name", allow_null=True)
    preferred = serializers.SerializerMethodField()
    nid = serializers.CharField(source="urn.nid", allow_null=True)
    nss = serializers.CharField(source="urn.nss", allow_null=True)
    r_component = serializers.CharField(source="urn.r_component", allow_null=True)
    q_component = serializers.CharField(source="urn.q_component", allow_null=True)
    f_component = serializers.CharField(source="urn.f_component", allow_null=True)
    position = serializers.IntegerField(source="error.position", allow_null=True)
    component = serializers.CharField(source="error.component", allow_null=True)
    rule = serializers.CharField(source="error.rule", allow_null=True)
    message = serializers.CharField(source="error.message", allow_null=True)
    repairs = RepairSerializer(many=True)

    def get_valid(self, inspection: Inspection) -> bool:
        """Return whether it is a URN by RFC 8141."""
        return inspection.urn is not None

    def get_registered(self, inspection: Inspection) -> bool | None:
        """Return whether its NID is registered, or null if it is not a URN."""
        return (
            None if inspection.urn is None else inspection.verdict is InspectionVerdict.REGISTERED
        )

    @extend_schema_field(NamespaceOfNameSerializer(allow_null=True))
    def get_namespace(self, inspection: Inspection) -> dict[str, Any] | None:
        """Return the registered namespace of a URN."""
        if inspection.urn is None or inspection.namespace is None:
            return None
        return NamespaceOfNameSerializer(inspection.namespace, context=self.context).data

    @extend_schema_field(NamespaceFindingSerializer(allow_null=True))
    def get_finding(self, inspection: Inspection) -> dict[str, Any] | None:
        """Return what the rule of a registered namespace says about a URN."""
        finding = inspection.finding
        return NamespaceFindingSerializer(finding).data if finding else None

    def get_preferred(self, inspection: Inspection) -> str | None:
        """Return the form that the namespace prefers, if it says so."""
        return (inspection.finding.preferred or None) if inspection.finding else None


class FindingSerializer(serializers.Serializer[Finding]):
    """A finding, its weight (`block`, `warn` or `note`), its rule, and what to do."""

    check_id = serializers.CharField(source="check")
    severity = serializers.CharField()
    message = serializers.CharField()
    rule = serializers.CharField(source="source")
    mend = NullableTextField()


class URIAnswerSerializer(serializers.Serializer[URIReading]):
    """How RFC 3986 reads a text, and RFC 8141 one that begins with `urn:`.

    A component that is null is absent; an empty one is present. `host_kind` is the production of
    section 3.2.2 that the host matches, null without a host or with an invalid one. `normal` is the
    normal form, null if the text is not valid.
    """

    text = serializers.CharField()
    valid = serializers.BooleanField(source="is_valid")
    scheme = serializers.CharField(source="parts.scheme", allow_null=True)
    authority = serializers.CharField(source="parts.authority", allow_null=True)
    path = serializers.CharField(source="parts.path", allow_blank=True)
    query = serializers.CharField(source="parts.query", allow_null=True)
    fragment = serializers.CharField(source="parts.fragment", allow_null=True)
    host_kind = serializers.CharField(allow_null=True)
    normal = serializers.SerializerMethodField()
    problems = ProblemSerializer(many=True)

    def get_normal(self, reading: URIReading) -> str | None:
        """Return the normal form, if there is one."""
        return reading.normal or None


class ResultSerializer(serializers.Serializer[NameResult]):
    """The overall result for a name, decided by its worst finding.

    `kind` is “malformed”, “invalid” (against the rule of its namespace), “unregistered”,
    “doubtful”, “not decided”, “unchecked” (no rule is held) or “valid”. `repairs` are whole names
    that may have been meant, likeliest first; `document` is what the result is based on.
    """

    kind = serializers.CharField()
    title = serializers.CharField()
    detail = NullableTextField()
    position = serializers.IntegerField(allow_null=True)
    document = NullableTextField(source="source")
    repairs = RepairSerializer(many=True)


class ParseAnswerSerializer(NameSerializer):
    """Everything there is to say about one text.

    `advice` lists what the specifications advise against in a URN. `uri` describes a text that is
    not a URN but a URI of another scheme. `sightings` say where an unregistered NID was seen in
    use.
    """

    result = ResultSerializer()
    sightings = SightingOfNidSerializer(many=True)
    display = serializers.SerializerMethodField()
    advice = serializers.SerializerMethodField()
    uri = serializers.SerializerMethodField()
    problems = URNProblemSerializer(many=True)
    specifications = serializers.SerializerMethodField()

    @extend_schema_field(FindingSerializer(many=True))
    def get_advice(self, inspection: Inspection) -> list[dict[str, Any]]:
        """Return what the specifications advise against in a URN."""
        advice = draw(advise_on_urn, inspection.urn) if inspection.urn else ()
        return [FindingSerializer(each).data for each in advice or ()]

    @extend_schema_field(URIAnswerSerializer(allow_null=True))
    def get_uri(self, found: Inspection) -> dict[str, Any] | None:
        """Return the URI of another scheme that the text is."""
        return URIAnswerSerializer(found.other_uri).data if found.other_uri else None

    @extend_schema_field(DisplaySerializer(allow_null=True))
    def get_display(self, inspection: Inspection) -> dict[str, Any] | None:
        """Return the form of a URN for people to read."""
        form = draw(display, inspection.urn) if inspection.urn else None
        return DisplaySerializer(form).data if form else None

    @extend_schema_field(SpecificationSerializer(many=True))
    def get_specifications(self, found: Inspection) -> list[dict[str, Any]]:
        """Return how each specification reads the text, oldest first."""
        readings = draw(inspection.read_by_specifications, found.text)
        return [SpecificationSerializer(each).data for each in readings or ()]


class ByNamespaceSerializer(serializers.Serializer[NameEquivalence]):
    """Whether the namespace declares two URNs to be one name, and which differences it ignores.

    `merges` are the declared equivalences that were needed; empty if RFC 8141 alone decided.
    `declared_by` cites where the namespace says when two of its names are the same.
    """

    equivalent = serializers.BooleanField(source="is_equivalent")
    message = serializers.CharField()
    rule = serializers.CharField(source="source")
    merges = serializers.ListField(child=serializers.CharField())
    declared_by = NullableTextField()


class LadderStepSerializer(serializers.Serializer[uri.ComparisonStep]):
    """What two URIs look like on one rung of the ladder (RFC 3986, section 6.2)."""

    rung = serializers.CharField()
    first = serializers.CharField()
    second = serializers.CharField()
    equal = serializers.BooleanField(source="is_equal")


class LexicalSerializer(serializers.Serializer[spec.SpecComparison]):
    """How one specification compares two texts, and why.

    Draft -03 has two comparisons, 5a and 5b. `equivalent` is null if it does not take both texts
    for URNs.
    """

    name = serializers.CharField()
    equivalent = serializers.BooleanField(source="is_equivalent", allow_null=True)
    first = NullableTextField()
    second = NullableTextField()
    why = serializers.CharField()


class CompareAnswerSerializer(serializers.Serializer[ComparedPair]):
    """Whether two URNs are equivalent by section 3.1, and which of its rules decided.

    `equivalent` is null if one of the two is not a URN. `folded` names the parts that differ only
    in case that is ignored, `ignored` the components that differ and are left out; `part` and
    `positions` say where the two first differ in what is compared. `by_namespace` is a separate
    answer, null unless both are in one registered namespace whose rule is held. `ladder` compares
    the two as URIs, rung by rung up to the one on which they are equal, `rung`; `specifications`
    compares them by RFC 2141, two drafts and RFC 8141. Both are empty for texts of more than 2,000
    characters, which the answer would repeat many times.
    """

    a = NameSerializer(source="first")
    b = NameSerializer(source="second")
    equivalent = serializers.BooleanField(source="comparison.is_equivalent", allow_null=True)
    folded = serializers.SerializerMethodField()
    ignored = serializers.SerializerMethodField()
    part = serializers.SerializerMethodField()
    positions = serializers.SerializerMethodField()
    rule = serializers.CharField(source="comparison.rule", allow_null=True)
    by_namespace = serializers.SerializerMethodField()
    ladder = LadderStepSerializer(source="drawn_steps", many=True)
    rung = serializers.CharField(source="climbed.rung", allow_null=True)
    specifications = LexicalSerializer(source="drawn_lexical", many=True)

    @extend_schema_field(ByNamespaceSerializer(allow_null=True))
    def get_by_namespace(self, pair: ComparedPair) -> dict[str, Any] | None:
        """Return how the two compare under the declared rule of their namespace."""
        by_namespace = pair.by_namespace
        return None if by_namespace is None else ByNamespaceSerializer(by_namespace).data

    def get_folded(self, pair: ComparedPair) -> list[str]:
        """Return which of `scheme`, `nid` and `percent` differ only in case."""
        return list(pair.comparison.folded) if pair.comparison else []

    def get_ignored(self, pair: ComparedPair) -> list[str]:
        """Return which of `r`, `q` and `f` differ."""
        return list(pair.comparison.ignored) if pair.comparison else []

    def get_part(self, pair: ComparedPair) -> str | None:
        """Return the part that makes the two differ, `nid` or `nss`."""
        return (pair.comparison.part or None) if pair.comparison else None

    def get_positions(self, pair: ComparedPair) -> list[int] | None:
        """Return the position in each of the first character that differs."""
        positions = pair.comparison.positions if pair.comparison else None
        return list(positions) if positions else None


class ReferenceAnswerSerializer(serializers.Serializer[ReferenceTarget]):
    """The target of a reference, with what the URN specifications say about its base.

    `target` is null if there is none; `base_problems` or `reference_problems` then say why.
    """

    base = serializers.CharField()
    reference = serializers.CharField()
    target = serializers.CharField(source="text", allow_null=True)
    base_problems = ProblemSerializer(many=True)
    reference_problems = ProblemSerializer(many=True)
    findings = FindingSerializer(many=True)


class FoundSerializer(serializers.Serializer[Found]):
    """A URI found in running text, at `text[start:end]`, counted in characters.

    `without_hyphens` is another reading if a line was broken after a hyphen. `registered` is null
    for a URI that is not a URN; `carried` is the name in such a URI, if it has one, as an address
    of a resolver does.
    """

    text = serializers.CharField()
    start = serializers.IntegerField()
    end = serializers.IntegerField()
    is_urn = serializers.BooleanField()
    without_hyphens = serializers.SerializerMethodField()
    registered = serializers.SerializerMethodField()
    carried = serializers.SerializerMethodField()

    def get_without_hyphens(self, found: Found) -> str | None:
        """Return the other reading, if there is one."""
        return found.without_hyphens or None

    def get_registered(self, found: Found) -> bool | None:
        """Return whether the NID of a URN is registered."""
        return parse(found.text).nid in self.context["known"] if found.is_urn else None

    def get_carried(self, found: Found) -> str | None:
        """Return the name in a URI that is not a URN."""
        name = inspection.find_carried_name(found, self.context["known"])
        return name.text if name else None


class FindAnswerSerializer(serializers.Serializer[Any]):
    """What was found in the text, in order."""

    found = FoundSerializer(many=True)


class ConvertAnswerSerializer(serializers.Serializer[WrittenURN]):
    """The resulting URN, or null if there is none; `problem` then says why."""

    converted = serializers.CharField(allow_null=True)
    problem = ProblemSerializer(allow_null=True)


class BuildAnswerSerializer(ConvertAnswerSerializer):
    """The resulting URN, or null if there is none: by `problem` or by `finding`.

    `finding` is what the rule of its registered namespace says, null if it is not registered. A
    name against the rule is not made: nobody but its manager assigns it (RFC 8141, section 2.2).
    """

    finding = NamespaceFindingSerializer(source="inspection.finding", allow_null=True)


class LocatedSerializer(serializers.Serializer[uri.LocatorParts]):
    """A locator: its scheme, its parts, and the positions of characters that are not allowed."""

    scheme = serializers.CharField()
    parts = serializers.DictField(child=serializers.CharField(allow_blank=True))
    strays = serializers.ListField(child=serializers.IntegerField())


class LocatorAnswerSerializer(serializers.Serializer[Any]):
    """The parts of a locator by the draft of 1993.

    `located` is null for a scheme that the draft does not have, and if there is a `problem`.
    """

    located = LocatedSerializer(allow_null=True)
    problem = ProblemSerializer(allow_null=True)


class IdentifierAnswerSerializer(serializers.Serializer[Any]):
    """Whether an identifier may be registered: it may if no finding has the severity “block”.

    `kind` is “formal” or “informal”, null if it can be neither.
    """

    nid = serializers.CharField()
    kind = serializers.CharField(allow_null=True)
    findings = FindingSerializer(many=True)
    suggestions = serializers.ListField(child=serializers.CharField())


class LineSerializer(serializers.Serializer[Any]):
    """The answer for one line; only lines that are not empty have one.

    `valid` is null for a line that could not be checked; `message` then says why. `finding` is what
    the rule of a registered namespace says about the name: “follows”, “against”, “doubtful”, “not
    decided” or “no rule”. `near` is null if no search was made. `result` is the overall result, as
    in the answer about one name; `repaired` is the name that an invalid one may stand for.
    """

    line = serializers.IntegerField()
    text = serializers.CharField()
    valid = serializers.BooleanField(allow_null=True)
    registered = serializers.BooleanField(allow_null=True)
    canonical = serializers.CharField(allow_null=True)
    position = serializers.IntegerField(allow_null=True)
    component = serializers.CharField(allow_null=True)
    rule = serializers.CharField(allow_null=True)
    message = serializers.CharField(allow_null=True)
    near = serializers.ListField(child=serializers.CharField(), allow_null=True)
    finding = serializers.CharField(allow_null=True)
    finding_position = serializers.IntegerField(allow_null=True)
    finding_message = serializers.CharField(allow_null=True)
    result = serializers.CharField(allow_null=True)
    repaired = serializers.CharField(allow_null=True)


class ResolvedTargetSerializer(serializers.Serializer[Any]):
    """An address that a name leads to."""

    address = serializers.CharField()
    service = serializers.CharField(help_text="What is there: I2C describes what is named.")
    media_type = serializers.CharField(allow_null=True)
    language = serializers.CharField(allow_null=True)
    operator = serializers.CharField(allow_null=True)
    components = serializers.ListField(child=serializers.CharField())


class ResolvedLineSerializer(serializers.Serializer[Any]):
    """Where one name leads; only lines that are not empty have an answer.

    `status` is that of `/resolve/` for the name: 303; 300 if several are equally good or the name
    is against the rule of its namespace; 400; or 404.
    """

    line = serializers.IntegerField()
    urn = serializers.CharField(allow_null=True)
    status = serializers.IntegerField()
    type = serializers.CharField(
        allow_null=True, help_text="The kind of refusal, as problem details have it."
    )
    finding = serializers.CharField(
        allow_null=True, help_text="What the rule of its namespace has against the name."
    )
    targets = ResolvedTargetSerializer(many=True)


@extend_schema_field(OpenApiTypes.STR)
class VerbatimTextField(serializers.Field[str, str, str, Any]):
    """Text exactly as it was sent: it is not trimmed, and nothing in it is refused."""

    default_error_messages = {"invalid": _("This is not a string.")}

    def to_internal_value(self, data: str) -> str:
        """Return `data` if it is text."""
        if not isinstance(data, str):
            self.fail("invalid")
        return data

    def to_representation(self, value: str) -> str:
        """Return the text."""
        return value


class URNQuestionSerializer(serializers.Serializer[Any]):
    """A question; in its parameters `uris` a `+` means a plus."""

    uris: ClassVar[frozenset[str]] = frozenset()


class ParseQuestionSerializer(URNQuestionSerializer):
    """A text to read as a URN."""

    uris = frozenset({"urn"})

    urn = VerbatimTextField(
        help_text="The text to read, whatever it is; percent-encode it in an address."
    )


class CompareQuestionSerializer(URNQuestionSerializer):
    """Two texts to compare as URNs."""

    uris = frozenset({"a", "b"})

    a = VerbatimTextField(help_text="The first text.")
    b = VerbatimTextField(help_text="The second text.")


class URIQuestionSerializer(URNQuestionSerializer):
    """A text to read as a URI."""

    uris = frozenset({"uri"})

    uri = VerbatimTextField(
        help_text="The text to read, whatever it is; percent-encode it in an address."
    )


class NormalizeQuestionSerializer(URIQuestionSerializer):
    """A URI to normalize, and how far up the ladder of RFC 3986, section 6.2."""

    rung = serializers.ChoiceField(
        choices=[each.value for each in uri.Rung],
        default=uri.Rung.SCHEME.value,
        help_text="The last of the rungs; on the highest a URN is its assigned name.",
    )


class ValidateQuestionSerializer(URIQuestionSerializer):
    """A text to read, and what it must be."""

    form = serializers.ChoiceField(
        choices=["reference", "uri", "absolute"],
        default="uri",
        help_text="A “uri” has a scheme, an “absolute” one no fragment either.",
    )


class LocateQuestionSerializer(URIQuestionSerializer):
    """A locator to split into parts."""


class ConvertQuestionSerializer(ParseQuestionSerializer):
    """A text to convert to RFC 8141, and the specification it was written by."""

    by = serializers.ChoiceField(
        choices=[profile.name for profile in spec.PROFILES],
        allow_blank=True,
        default="",
        help_text="If left out, a URN stays as it is, and others are read by the drafts.",
    )


class BuildQuestionSerializer(URNQuestionSerializer):
    """The parts of a URN, not yet encoded."""

    uris = frozenset({"name", "r", "q", "f"})

    nid = VerbatimTextField(help_text="The namespace identifier.")
    name = VerbatimTextField(help_text="The name in its namespace, as people write it.")
    r = VerbatimTextField(required=False, help_text="The r-component.")
    q = VerbatimTextField(required=False, help_text="The q-component.")
    f = VerbatimTextField(required=False, help_text="The f-component.")


class IdentifierQuestionSerializer(URNQuestionSerializer):
    """An identifier that somebody would like to register."""

    nid = VerbatimTextField(help_text="The identifier, without `urn:`.")


class ReferenceQuestionSerializer(URNQuestionSerializer):
    """A reference and its base."""

    uris = frozenset({"base", "reference"})

    base = VerbatimTextField(help_text="The base URI, with its scheme.")
    reference = VerbatimTextField(help_text="The reference, relative or not.")
    strict = serializers.BooleanField(
        default=True,
        help_text="If false, a scheme in the reference that is the base's is passed over.",
    )


class FindQuestionSerializer(URNQuestionSerializer):
    """Running text to search."""

    text = VerbatimTextField(help_text="The text in which to find URNs and other URIs.")


def read_question_parameters(
    request: Request, *, uris: Set[str] = frozenset(), others: Set[str] = frozenset()
) -> dict[str, str]:
    """Return the parameters of the address; raise `ValidationError` for any that is ambiguous."""
    try:
        return read_query(request.META.get("QUERY_STRING", ""), uris, others, is_strict=True)
    except QueryStringError as error:
        raise ValidationError({error.parameter: [str(error)]}) from None
