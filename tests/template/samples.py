"""Three complete, careful templates, as registrants write them.

Version and Date stay empty: the registry enters them. All organizations are fictional.
"""

from __future__ import annotations

from inspect import cleandoc

from registry.template import Template

FORMAL = Template(
    nid="seedbank",
    registrant=cleandoc(
        """
        Northlight Seed Vault Federation
        Frostgata 12
        9170 Isby

        Designated contact: identifier desk of the federation
        Mail: urn@northlight.example
        Telephone: +47 5555 0142

        The federation is an association of public seed vaults, founded in
        1994. Should it be dissolved, its archive council, which has statutes
        of its own, takes over the list of vault codes and this registration.
        """
    ),
    purpose=cleandoc(
        """
        URNs of this namespace identify accessions: samples of seed that a
        member vault of the federation has accepted for long-term keeping. A
        name stands for the accession as such, whichever vault keeps it today.

        The community consists of gene banks, plant breeders, botanical
        gardens and the journals that publish their work. At present 31 vaults
        in 14 countries are members. The names are used on public networks, in
        catalogues, articles and exchange agreements, and on printed labels.

        Today an accession is cited by the number its vault gave it. Vaults
        give the same numbers, and numbers lose their meaning when a sample is
        moved. With a URN a citation keeps pointing to the sample it was made
        for, and a breeder on the other side of the world can ask for it.

        No registered URN namespace is concerned with seed samples. Names of
        herbarium sheets and of species exist in other systems; they name
        something else and are often cited beside a name of this namespace.
        There is no URI scheme for accessions.

        Catalogue software, reference managers and laboratory systems are
        expected to store, compare and show the names. The federation plans a
        public look-up service, described under Resolution. The namespace is
        not part of a standard, and none is planned.
        """
    ),
    syntax=cleandoc(
        """
        The part after "urn:seedbank:" is the code of the vault that first
        accepted the seeds, a slash, and the accession number which that vault
        gave.

        - The vault code is three letters from A to Z, upper case.
        - The accession number is one to six decimal digits. It does not begin
          with zero.

        The vault code says who accepted the seeds first. It says nothing about
        where they are now, and programs should not conclude it.

        Accession numbers consist of characters that URNs allow as they are.
        Nothing is percent-encoded, and a name with percent-encoding in it is
        not a name of this namespace.

        Two names are the same if they are equivalent by section 3 of RFC 8141;
        this namespace adds no rule. A vault code in lower case is not a vault
        code, so nothing can be mistaken for another name that way.

        No meaning is given to r-components, q-components or f-components.
        """
    ),
    grammar_kind="abnf",
    grammar=cleandoc(
        """
        nss       = vault "/" accession
        vault     = 3(%x41-5A)
        accession = %x31-39 0*5DIGIT
        """
    ),
    examples=("urn:seedbank:NVF/42", "urn:seedbank:ISB/120455"),
    counter_examples=("urn:seedbank:NVF-42", "urn:seedbank:NVF/0042"),
    prior_use=cleandoc(
        """
        Three vaults have printed such names on labels since 2023, about 40,000
        of them. All of them fit the rule above.
        """
    ),
    assignment=cleandoc(
        """
        Assignment is limited to the member vaults of the federation. A vault
        becomes a member by a decision of the general assembly; how to apply is
        published at https://northlight.example/membership. Anyone else who
        wants an accession named asks the vault that keeps it.

        On joining, a vault is given a code by the identifier desk. The desk
        keeps one public list of codes, and a code that was given once is never
        given to another vault, even after the vault has closed.

        Each vault numbers the accessions it accepts in sequence, from a counter
        that only goes up. The vault and the desk compare their lists every
        month. Names are therefore unique: codes by the one list, numbers by
        the counter of the vault.

        A name is never given to another accession. When the seeds are used up,
        or the vault leaves the federation, its names remain names of what they
        stood for.
        """
    ),
    security_privacy=cleandoc(
        """
        Comparison. If a program took two different names for the same, seeds of
        the wrong plant might be sent or sown; the rules for comparison are
        strict for that reason. If it took one name for two, a sample would be
        overlooked, which costs time and does no further harm.

        Privacy. A name reveals which vault first accepted the seeds. It does
        not reveal who gave them, nor where they were collected. Requests to the
        look-up service can reveal what somebody is working on; the service
        keeps no log of them beyond one day.

        Harvesting. Numbers run in sequence and can be guessed, so the whole
        list can be collected. The list of accessions is public anyway. The few
        samples whose place of origin is protected are described without it.

        Deception. Anyone can print a name on a label. A name alone is no proof
        that seeds are what the label says; the catalogue of the vault tells.
        """
    ),
    interoperability=cleandoc(
        """
        Some vaults print a space between code and number on their labels, and
        some catalogues write a full stop instead of the slash. Neither form is
        a URN; programs that read labels have to write the slash.

        A few reference managers write every URN in lower case. What comes out
        is not a name of this namespace. The federation has told their makers,
        and asks authors to copy names from the catalogue.

        No confusion with another URN namespace or URI scheme is known; the
        lists of both were read in February 2026.
        """
    ),
    known_issues="yes",
    resolution=cleandoc(
        """
        Resolution is intended. The federation will operate a service that
        answers a name with a description of the accession and the address of
        the vault that keeps it now. It is expected to open in 2027.

        Vaults may run services of their own for the names they assigned. To be
        listed by the federation, a service has to be open to everyone, to
        answer for at least all names of its vault, and to be told to the
        identifier desk with a contact. Such services may ignore r-components;
        none is defined.
        """
    ),
    resolution_intended="yes",
    resolution_operator="The Northlight Seed Vault Federation",
    documentation=cleandoc(
        """
        Northlight Seed Vault Federation, "Accession numbers and their use",
        second edition, January 2026,
        https://northlight.example/documents/accession-numbers-2
        """
    ),
    additional_information=cleandoc(
        """
        Herbarium sheets made from the same plants have numbers of their own. A
        sheet and the seeds taken from the plant are different things and have
        different names; catalogues link one to the other.
        """
    ),
)

INFORMAL = Template(
    nid="urn-N",
    registrant=cleandoc(
        """
        Tidewater Buoy Cooperative
        Breakwater House, 3 Quay Street
        Saltmouth SM4 7QY

        Designated contact: data office
        Mail: data-office@tidewater.example
        Telephone: +44 5550 010 733

        If the cooperative ceases, its harbour authorities have agreed in its
        statutes that the authority of Saltmouth keeps the list of stations.
        """
    ),
    purpose=cleandoc(
        """
        URNs of this namespace identify stations of the cooperative, a station
        being a place at sea where a buoy measures waves and tides. Buoys are
        replaced every few years; the station and its name remain, and with
        them the series of measurements.

        The names are used by nine harbour authorities, by two universities and
        by anyone who reads the published measurements, on the public Internet.
        Readers gain a way to say which series they used, years later, without
        depending on the address of a web page.

        Other systems number ships, lights and weather stations on land. A
        station of ours has a number in none of them, and the cooperative does
        not want to coin numbers in a system that others run. An informal
        namespace is enough: the names are read by programs and are seldom
        spoken.

        Programs that draw charts and programs that keep long series store the
        names and compare them. No look-up service exists. The namespace is not
        meant to become part of a standard.
        """
    ),
    syntax=cleandoc(
        """
        The part after "urn:urn-N:" is the code of a harbour, a colon, and the
        number of the station in the waters of that harbour:

        1. The code of a harbour is two to five letters from a to z, in lower
           case.
        2. The number has exactly four digits and may begin with zeros.

        A measuring depth may be added to say which instrument of a station is
        meant: a colon, the letter d, and the depth in metres as a whole number.

        Nothing in a name is percent-encoded. Two names are the same if they are
        equivalent by section 3 of RFC 8141, with no further rule: "urn:urn-N:"
        may be written in either case, the rest only as it was assigned.

        r-components, q-components and f-components have no meaning here. A
        program that meets one in a name may leave it out.
        """
    ),
    grammar_kind="regex",
    grammar="[a-z]{2,5}:[0-9]{4}(:d[1-9][0-9]{0,2})?",
    examples=("urn:urn-N:salt:0007", "urn:urn-N:grim:0112:d40", "urn:urn-N:ox:9001"),
    counter_examples=("urn:urn-N:salt:7", "urn:urn-N:SALT:0007"),
    prior_use=cleandoc(
        """
        None as URNs. The codes and numbers have been on the buoys since 2009.
        """
    ),
    assignment=cleandoc(
        """
        Assignment is closed: only the data office of the cooperative assigns
        names. A harbour authority that wants a station sends its position to
        the office and receives the name within a week.

        The office keeps a single list, from which it takes the next free
        number of the harbour. The list is published with every change, so that
        a name given twice would be seen by all members. There is no other
        list, and nobody else gives out numbers.

        A name belongs to its station for ever. If a station is given up, its
        name stays in the list, marked as such, and is not assigned again. If a
        harbour changes its own name, its code stays as it was.
        """
    ),
    security_privacy=cleandoc(
        """
        If two different names were taken for one, measurements of two places
        would be mixed, and somebody might rely on a tide that is wrong. The
        names have a fixed shape and are compared letter by letter to prevent
        that. If a single name were taken for two, a series would look shorter
        than it is.

        Names carry no information on persons. Who reads which series could be
        of interest to others only for a harbour under construction; names are
        not sent to the cooperative when they are used, so nothing is learned
        from that.

        All names can be guessed. The list is public, and the positions of the
        buoys are on every sea chart.

        A false name on a data file cannot be told from a true one by looking
        at it. Files of the cooperative are signed.
        """
    ),
    interoperability=cleandoc(
        """
        Some programs take every colon for a separator of their own and cut the
        names apart. They should treat everything after "urn:urn-N:" as one
        text.

        Spreadsheets may read a number such as 0007 as 7 when a name is split
        into columns; names should be kept whole.

        The names look like those of no other namespace or scheme that we found
        in the registries in January 2026.
        """
    ),
    known_issues="yes",
    resolution=cleandoc(
        """
        Resolution is not intended. The cooperative publishes its measurements
        as files in which the names stand, and runs no service that answers
        names. Should one be wanted later, this registration will be revised.
        """
    ),
    resolution_intended="no",
    documentation=cleandoc(
        """
        Tidewater Buoy Cooperative, "Stations and their names", edition of 1
        December 2025, https://tidewater.example/stations/2025-12-01
        """
    ),
    additional_information=cleandoc(
        """
        Buoys have serial numbers given by their makers. A serial number stays
        with the buoy when it is moved to another station and is therefore not
        part of a name.
        """
    ),
)

REVISION = FORMAL.replace(
    purpose=FORMAL.purpose.replace("31 vaults\nin 14 countries", "36 vaults\nin 15 countries"),
    syntax=cleandoc(
        """
        The part after "urn:seedbank:" is the code of the vault that first
        accepted the seeds, a slash, and the accession number which that vault
        gave. A slash and one letter may follow for a duplicate that was sent
        to another vault.

        - The vault code is three letters from A to Z, upper case.
        - The accession number is one to six decimal digits. It does not begin
          with zero.
        - The letter of a duplicate is one letter from A to Z, upper case. The
          first duplicate is A.

        The vault code says who accepted the seeds first. It says nothing about
        where they are now, and programs should not conclude it.

        Accession numbers consist of characters that URNs allow as they are.
        Nothing is percent-encoded, and a name with percent-encoding in it is
        not a name of this namespace.

        Two names are the same if they are equivalent by section 3 of RFC 8141;
        this namespace adds no rule. An accession and its duplicates have
        different names. A vault code or a letter in lower case is not part of
        any name, so nothing can be mistaken for another name that way.

        No meaning is given to r-components, q-components or f-components.
        """
    ),
    grammar=cleandoc(
        """
        nss       = vault "/" accession [ "/" copy ]
        vault     = 3(%x41-5A)
        accession = %x31-39 0*5DIGIT
        copy      = %x41-5A
        """
    ),
    examples=("urn:seedbank:NVF/42", "urn:seedbank:ISB/120455", "urn:seedbank:NVF/42/B"),
    counter_examples=("urn:seedbank:NVF-42", "urn:seedbank:NVF/0042", "urn:seedbank:NVF/42/b"),
    resolution=cleandoc(
        """
        Resolution is intended. The federation operates a service that answers
        a name with a description of the accession and the address of the vault
        that keeps it now; it is described at
        https://northlight.example/documents/look-up-1.

        Vaults may run services of their own for the names they assigned. To be
        listed by the federation, a service has to be open to everyone, to
        answer for at least all names of its vault, and to be told to the
        identifier desk with a contact. Such services may ignore r-components;
        none is defined.
        """
    ),
    documentation=cleandoc(
        """
        Northlight Seed Vault Federation, "Accession numbers and their use",
        third edition, June 2026,
        https://northlight.example/documents/accession-numbers-3
        """
    ),
    revision_information=cleandoc(
        """
        Syntax: a letter for duplicates may follow the accession number, since
        vaults now exchange duplicates and have to tell them apart. The formal
        grammar and the examples were extended accordingly.

        Resolution: the look-up service, announced in version 1, is open.

        Documentation points to the third edition, which describes duplicates.
        Purpose gives the present number of members.

        All names assigned under version 1 stay valid and keep their meaning.
        Assignment and the technology in use have not changed.
        """
    ),
)
