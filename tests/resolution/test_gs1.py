"""EPCs as the web addresses of the same keys."""

from __future__ import annotations

import pytest

from registry.resolution.gs1 import build_digital_link


@pytest.mark.parametrize(
    ("nss", "path"),
    [
        # The digits are those of the worked examples of the EPC Tag Data Standard, section 7.
        pytest.param("id:sgtin:0614141.112345.400", "01/10614141123459/21/400", id="7.3 SGTIN"),
        pytest.param("id:sscc:0614141.1234567890", "00/106141412345678908", id="7.4 SSCC"),
        pytest.param("id:sgln:0614141.12345.400", "414/0614141123452/254/400", id="7.5 SGLN"),
        pytest.param("id:sgln:0614141.12345.0", "414/0614141123452", id="7.5 no extension"),
        pytest.param("id:grai:0614141.12345.400", "8003/00614141123452400", id="7.6 GRAI"),
        pytest.param("id:giai:0614141.12345400", "8004/061414112345400", id="7.7 GIAI"),
        pytest.param("id:gdti:0614141.12345.400", "253/0614141123452400", id="7.9 GDTI"),
        pytest.param("id:pgln:0614141.12345", "417/0614141123452", id="PGLN"),
        pytest.param("id:gsrn:0614141.1234567890", "8018/061414112345678902", id="GSRN"),
        pytest.param("id:gsrnp:0614141.1234567890", "8017/061414112345678902", id="GSRN provider"),
        pytest.param("id:gsin:0614141.123456789", "402/06141411234567890", id="GSIN"),
        pytest.param("id:ginc:0614141.xyz47%2F11", "401/0614141xyz47%2F11", id="GINC"),
        pytest.param("id:sgcn:4012345.67890.04711", "255/401234567890104711", id="GCN"),
        pytest.param(
            "id:itip:4012345.012345.01.02.987", "8006/040123451234560102/21/987", id="ITIP"
        ),
        pytest.param(
            "id:upui:1234567.089456.51qIgY", "01/01234567894560/235/51qIgY", id="unit pack"
        ),
        pytest.param("id:cpi:0614141.123ABC.123456", "8010/0614141123ABC/8011/123456", id="part"),
        pytest.param("id:sgtin:0614141.112345.a%2Fb", "01/10614141123459/21/a%2Fb", id="encoded"),
        pytest.param("id:sgtin:0614141.112345.3.2", "01/10614141123459/21/3.2", id="a full stop"),
    ],
)
def test_key_is_put_together_with_its_check_digit(nss: str, path: str) -> None:
    assert build_digital_link(nss) == path


@pytest.mark.parametrize(
    "nss",
    [
        "id:gid:95100000.12345.400",
        "class:lgtin:4012345.012345.998877",
        "id:sgtin:0614141.112345",
        "id:sgtin:0614141..400",
        "id:sgtin:abcdefg.112345.400",
        "id:giai:0614141.",
        "tag:sgtin-96:3.0614141.812345.6789",
    ],
)
def test_nss_without_a_gs1_key_has_no_digital_link(nss: str) -> None:
    assert build_digital_link(nss) is None
