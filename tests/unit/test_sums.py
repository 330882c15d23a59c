"""Totals and ranges against their parts."""

import pytest

from agent.checking.sums import sums


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("12 (2 new + 9 cited)", [(12, 11)]),
        ("12 (3 new + 9 cited)", []),
        ("共 5 条 (2 条 + 2 条)", [(5, 4)]),
        ("C5-C9, 4 entries", [(4, 5)]),
        ("C5-C9, 5 entries", []),
        ("about 12 (2 new + 9 cited)", []),
    ],
)
def test_a_total_is_held_against_its_parts(text, found):
    assert found == [(one.announced, one.counted) for one in sums(text)]
