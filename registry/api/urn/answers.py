"""What programs are told about URNs. `valid` means RFC 8141 alone; positions count from 0."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from registry import desk
from registry.desk import Inspection, NamespaceFinding, Pair, Specification, Target, Verdict
from registry.models import Namespace
from registry.queries import Near
from registry.rulebook import Equivalence, Part
from registry.urn import DisplayForm, Finding, Found, Repair, URNSyntaxError, display, parse, uri


class NamespaceOfNameSerializer(serializers.ModelSerializer[Namespace]):
    """The registered namespace of a name."""

    url = serializers.HyperlinkedIdentityField(
        view_name="api:namespace", lookup_field="nid", lookup_url_kwarg="nid"
    )
    page = serializers.HyperlinkedIdentityField(
        view_name="namespaces:detail", lookup_field="nid", lookup_url_kwarg="nid"
    )

    class Meta:
        model = Namespace
        fields = ["nid", "kind", "status", "notice", "summary", "url", "page"]
        read_only_fields = fields


class NearSerializer(serializers.Serializer[Near]):
    """A NID that resembles one that nobody has registered."""

    nid = serializers.CharField()
    reason = serializers.CharField()
    page = serializers.SerializerMethodField()

    def get_page(self, near: Near) -> str:
        """Return where to read about it."""
        return str(self.context["request"].build_absolute_uri(near.url))


class ProblemSerializer(serializers.Serializer[URNSyntaxError | uri.URISyntaxError]):
    """One thing that keeps a text from being a URN or a URI, and where."""

    position = serializers.IntegerField()
    component = serializers.CharField()
    rule = serializers.CharField()
    message = serializers.CharField()


class URNProblemSerializer(ProblemSerializer):
    """One thing that keeps a text from being a URN, and how to put it right."""

    mend = serializers.CharField()


class RepairSerializer(serializers.Serializer[Repair]):
    """A URN that may have been meant. A proposal, never applied unasked."""

    text = serializers.CharField()
    changes = serializers.ListField(child=serializers.CharField())


class DisplaySerializer(serializers.Serializer[DisplayForm]):
    """The form for people to read (section 4.4); not the canonical one, and perhaps no URN."""

    text = serializers.CharField()
    is_exact = serializers.BooleanField()


class SpecificationSerializer(serializers.Serializer[Specification]):
    """What one specification of URN syntax makes of the text."""

    name = serializers.CharField(source="title")
    valid = serializers.BooleanField(source="reading.is_valid")
    position = serializers.IntegerField(source="reading.error.position", allow_null=True)
    message = serializers.CharField(source="reading.error.message", allow_null=True)
    parts = serializers.DictField(source="reading.parts", child=serializers.CharField())
    cautions = serializers.ListField(source="reading.cautions", child=serializers.CharField())
    converted = serializers.SerializerMethodField()

    def get_converted(self, specification: Specification) -> str | None:
        """Return the text as RFC 8141 writes what a draft meant, if that is another text."""
        return specification.converted or None


class PartSerializer(serializers.Serializer[Part]):
    """A part of the name within its namespace: what it is, and what it means where known."""

    name = serializers.CharField()
    text = serializers.CharField()
    meaning = serializers.CharField(allow_blank=True)


class NamespaceFindingSerializer(serializers.Serializer[NamespaceFinding]):
    """What the rule of its namespace says of a URN. It is a URN whatever this says.

    `standing` is “follows”, “against”, “doubtful” (a matter for people), “not decided” or “no
    rule”. `position` counts from 0 in the URN as it was written; `document` is what the rule was
    taken from, `left_open` what it does not look at.
    """

    standing = serializers.CharField()
    check_id = serializers.CharField(source="ruling.check", default=None, allow_null=True)
    message = serializers.CharField(allow_blank=True)
    document = serializers.CharField(allow_blank=True)
    position = serializers.IntegerField(allow_null=True)
    parts = PartSerializer(many=True)
    left_open = serializers.CharField(allow_blank=True)


class NameSerializer(serializers.Serializer[Inspection]):
    """A text as a URN: whether it is one, whether its namespace is registered, and its parts.

    The answers are kept apart: `valid` is RFC 8141 alone, `registered` and `namespace` what the
    registry knows, `finding` what the rule of a registered namespace says of the name.
    `canonical` is the form of section 3.1, `preferred` the whole URN as its namespace prefers it.
    `position`, `component`, `rule` and `message` are the first of `problems`.
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

    def get_valid(self, inspection: Inspection) -> bool:
        """Return whether RFC 8141 takes it for a URN."""
        return inspection.urn is not None

    def get_registered(self, inspection: Inspection) -> bool | None:
        """Return whether its NID is registered, none where there is no URN."""
        return None if inspection.urn is None else inspection.verdict is Verdict.REGISTERED

    @extend_schema_field(NamespaceOfNameSerializer(allow_null=True))
    def get_namespace(self, inspection: Inspection) -> dict[str, Any] | None:
        """Return the registered namespace of a URN."""
        if inspection.urn is None or inspection.namespace is None:
            return None
        return NamespaceOfNameSerializer(inspection.namespace, context=self.context).data

    @extend_schema_field(NamespaceFindingSerializer(allow_null=True))
    def get_finding(self, inspection: Inspection) -> dict[str, Any] | None:
        """Return what the rule of a registered namespace says of a URN."""
        finding = inspection.finding
        return NamespaceFindingSerializer(finding).data if finding else None

    def get_preferred(self, inspection: Inspection) -> str | None:
        """Return the form that the namespace prefers, if it says so."""
        return (inspection.finding.preferred or None) if inspection.finding else None


class ParseAnswerSerializer(NameSerializer):
    """All there is to say of one text."""

    display = serializers.SerializerMethodField()
    problems = URNProblemSerializer(many=True)
    repairs = RepairSerializer(many=True)
    specifications = serializers.SerializerMethodField()

    @extend_schema_field(DisplaySerializer(allow_null=True))
    def get_display(self, inspection: Inspection) -> dict[str, Any] | None:
        """Return the form of a URN that people read."""
        return DisplaySerializer(display(inspection.urn)).data if inspection.urn else None

    @extend_schema_field(SpecificationSerializer(many=True))
    def get_specifications(self, inspection: Inspection) -> list[dict[str, Any]]:
        """Return what each specification makes of the text, the oldest first."""
        said = desk.specifications(inspection.text)
        return [SpecificationSerializer(each).data for each in said]


class ByNamespaceSerializer(serializers.Serializer[Equivalence]):
    """Whether two URNs are one name by what their namespace declares, and what it does not count.

    `merges` are the declared equivalences that were needed; none where RFC 8141 alone decided.
    """

    equivalent = serializers.BooleanField(source="is_equivalent")
    message = serializers.CharField()
    rule = serializers.CharField(source="source")
    merges = serializers.ListField(child=serializers.CharField())


class CompareAnswerSerializer(serializers.Serializer[Pair]):
    """Whether two URNs are equivalent by section 3.1, and which of its rules decided.

    `equivalent` is null where one of the two is not a URN. `folded` says where only the case
    differs that is ignored, `ignored` which components differ that are left out; `part` and
    `positions` where, in each text, the two first differ in what is compared. `by_namespace` is a
    separate answer, null where the two have not one registered namespace whose rule is held.
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

    @extend_schema_field(ByNamespaceSerializer(allow_null=True))
    def get_by_namespace(self, pair: Pair) -> dict[str, Any] | None:
        """Return what the declared rule of their namespace says of the two."""
        by_namespace = pair.by_namespace
        return None if by_namespace is None else ByNamespaceSerializer(by_namespace).data

    def get_folded(self, pair: Pair) -> list[str]:
        """Return which of `scheme`, `nid` and `percent` differ in case alone."""
        return list(pair.comparison.folded) if pair.comparison else []

    def get_ignored(self, pair: Pair) -> list[str]:
        """Return which of `r`, `q` and `f` differ."""
        return list(pair.comparison.ignored) if pair.comparison else []

    def get_part(self, pair: Pair) -> str | None:
        """Return which part keeps the two apart, `nid` or `nss`."""
        return (pair.comparison.part or None) if pair.comparison else None

    def get_positions(self, pair: Pair) -> list[int] | None:
        """Return the position in each of the first character that differs."""
        positions = pair.comparison.positions if pair.comparison else None
        return list(positions) if positions else None


class FindingSerializer(serializers.Serializer[Finding]):
    """A remark, how much it weighs (`warn` or `note`), the rule it comes from, and what to do."""

    check_id = serializers.CharField(source="check")
    severity = serializers.CharField()
    message = serializers.CharField()
    rule = serializers.CharField(source="source")
    mend = serializers.CharField()


class ReferenceAnswerSerializer(serializers.Serializer[Target]):
    """The target of a reference, with what the URN specifications say of its base.

    `target` is null where `base_problems` or `reference_problems` say why there is none.
    """

    base = serializers.CharField()
    reference = serializers.CharField()
    target = serializers.CharField(source="text", allow_null=True)
    base_problems = ProblemSerializer(many=True)
    reference_problems = ProblemSerializer(many=True)
    findings = FindingSerializer(many=True)


class FoundSerializer(serializers.Serializer[Found]):
    """A URI found in running text: it stood in `text[start:end]`, counted in characters.

    `without_hyphens` is another reading where a line was broken behind a hyphen. `registered` is
    null for a URI that is not a URN.
    """

    text = serializers.CharField()
    start = serializers.IntegerField()
    end = serializers.IntegerField()
    is_urn = serializers.BooleanField()
    without_hyphens = serializers.SerializerMethodField()
    registered = serializers.SerializerMethodField()

    def get_without_hyphens(self, found: Found) -> str | None:
        """Return the other reading, if there is one."""
        return found.without_hyphens or None

    def get_registered(self, found: Found) -> bool | None:
        """Return whether the NID of a URN is registered."""
        return parse(found.text).nid in self.context["known"] if found.is_urn else None


class FindAnswerSerializer(serializers.Serializer[Any]):
    """What was found in the text, in order."""

    found = FoundSerializer(many=True)


class LineSerializer(serializers.Serializer[Any]):
    """The answer about one line; only lines that hold anything have one.

    `valid` is null for a line that could not be asked about, and `message` then says why.
    `finding` is what the rule of a registered namespace says of the name: “follows”, “against”,
    “doubtful”, “not decided” or “no rule”. `near` is null where nobody looked for it.
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
