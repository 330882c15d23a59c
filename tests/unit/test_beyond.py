"""What stands only in a note that was not looked at is said to stand there, and is never false."""

import pytest

from agent.auditing.audit import Surroundings, audit
from tests.noting import a_note

BRIEF = "# Brief\n\nSource: inbox/jay/2026-07-27-new.md\n\n- {said}\n"
OLD = a_note(
    "# Old\n\n- Throughput is 4,120 tok/s, see arXiv:2606.90417.\n- We hold that every copy loses a little.\n",
    path="inbox/jay/2026-07-01-old.md",
)
NEW = a_note("# New\n\n- See arXiv:2606.90471.\n", path="inbox/jay/2026-07-27-new.md")


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("Throughput is 4,120 tok/s.", "figure"),
        ("See arXiv:2606.90417.", "identifier"),
        ("jay writes: “We hold that every copy loses a little”.", "quote"),
    ],
)
def test_the_place_is_told(said, kind):
    brief = a_note(BRIEF.format(said=said), path="inbox/tom/2026-07-27-brief.md")
    around = Surroundings(notes=(NEW,), others=(OLD,), paths=(NEW.path, OLD.path), agents=("jay", "tom"))

    (one,) = [one for one in audit(brief, around, language="en").findings if one.kind == kind]

    assert ("unsupported", "beyond-days", [OLD.path]) == (
        one.verdict,
        one.found_by,
        [place.note for place in one.found],
    )


def test_what_stands_nowhere_stays_unsupported():
    brief = a_note(BRIEF.format(said="Throughput is 9,999 tok/s."), path="inbox/tom/2026-07-27-brief.md")

    found = audit(brief, Surroundings(notes=(NEW,), others=(OLD,)), language="en").findings

    assert ["nowhere"] == [one.found_by for one in found if one.kind == "figure"]
