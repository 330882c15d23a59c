"""What contradicts a finding, corrects it or repeats it is linked from where it is shown."""

import pytest

from agent.digesting.markdown import render_markdown
from agent.reading.marking import is_own_output
from agent.records import Correction, Language, Lead, Point, Register
from tests.digests import FULL, INCREMENT, JAY, TOM, evidence

DISPUTED = FULL.model_copy(
    update={
        "increments": (INCREMENT, INCREMENT.model_copy(update={"id": "inc-2", "title": "Other"})),
        "contradictions": tuple(
            FULL.contradictions[0].model_copy(update={"id": f"c{number}", "increments": concerned})
            for number, concerned in enumerate((("inc-2",), (), ("inc-2", "gone")))
        ),
    }
)


@pytest.mark.parametrize(
    ("language", "links"),
    [
        ("en", "[Contradiction 1](#contradiction-1), [Contradiction 3](#contradiction-3)"),
        ("zh", "[矛盾 1](#%E7%9F%9B%E7%9B%BE-1)、[矛盾 3](#%E7%9F%9B%E7%9B%BE-3)"),
    ],
)
def test_a_contradicted_finding_is_marked_at_a_glance_and_links_to_what_contradicts_it(
    language: Language, links: str
) -> None:
    lines = render_markdown(DISPUTED.model_copy(update={"language": language})).splitlines()
    assert [f"2. ★★★☆☆ **Other** ⚠ {links} — Three tiers."] == [line for line in lines if line.startswith("2. ★")]
    assert [line for line in lines if line.startswith("1. ★")] == ["1. ★★★☆☆ **TierKV 缓存框架** — Three tiers."]
    assert 1 == sum(line.startswith("- **⚠") and line.endswith(links) for line in lines)


def test_links_lead_to_the_workspace_from_where_the_digest_is_written() -> None:
    here, there = (render_markdown(DISPUTED, base=base).splitlines() for base in ("", "../my notes"))
    assert [line.replace("](../my%20notes/", "](") for line in there[:-2]] == here[:-2]
    assert all("](inbox/" not in line for line in there)
    assert any("](#contradiction-1)" in line for line in there)
    assert is_own_output("\n".join(there))


def test_what_only_looks_like_a_link_is_not_led_elsewhere() -> None:
    lead = Lead(text="see https://link.example/x](inbox and [b](c)", evidence=(evidence(40),))
    (line,) = [
        one
        for one in render_markdown(FULL.model_copy(update={"leads": (lead,)}), base="..").splitlines()
        if "link.example" in one
    ]
    assert rf"- see `https://link.example/x](inbox` and \[b\](c) [{TOM}:40](../{TOM}#L40)" == line


def test_a_statement_names_the_notes_that_say_the_same_once() -> None:
    point = Point(
        text="three tiers",
        evidence=evidence(11),
        also=(evidence(3, note=JAY), evidence(4, note=JAY), evidence(12)),
    )
    digest = FULL.model_copy(update={"increments": (INCREMENT.model_copy(update={"points": (point,)}),)})
    assert f"- **Points**: three tiers [{TOM}:11]({TOM}#L11) (also said by [{JAY}:3]({JAY}#L3))" in (
        render_markdown(digest).splitlines()
    )


def test_a_correction_says_what_changed_and_links_to_what_was_said_before() -> None:
    before = Correction(note=JAY, changed=("TTFT 4 s → 3 s",), evidence=(evidence(3, note=JAY),))
    digest = FULL.model_copy(update={"increments": (INCREMENT.model_copy(update={"corrected": (before,)}),)})
    lines = render_markdown(digest).splitlines()
    assert f"- **Corrected**: TTFT 4 s → 3 s (said before: [{JAY}:3]({JAY}#L3))" in lines
    assert "1. ★★★☆☆ **TierKV 缓存框架** (Corrected) — Three tiers." in lines


def test_a_register_entry_has_the_letter_that_its_document_writes() -> None:
    entry = Register(kind="O", number=9, text="which engines?", stated=8, document="rag.md", letter="Q")
    digest = FULL.model_copy(update={"increments": (INCREMENT.model_copy(update={"registers": (entry,)}),)})
    assert "- **For the registers**: rag.md Q9 (open question; the note took Q8): which engines?" in (
        render_markdown(digest).splitlines()
    )
