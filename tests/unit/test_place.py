"""A finding goes where its note says, if that exists; a model chooses among sections that code found, and nothing else."""

from dataclasses import replace

import pytest

from agent.asking.model import Request
from agent.asking.testing import ScriptedModel
from agent.errors import BudgetExceeded, ReplyInvalid
from agent.extracting.ledger import Ledger
from agent.extracting.place import Finding, Placed, place
from agent.reading.placements import stated_placements
from agent.reading.statements import StatedRelation
from agent.records import Language, Placement
from tests.noting import knowing, scripted, segment_of

INFERENCE = (
    "inference.md\n# inference\n\n## 4 KV\n\n### 4.1 分层缓存\n\nRingKV 把 KV 放进主机内存。\n\n### 4.2 量化\n\n"
    "KV 量化到 4 比特。\n\n### 4.3 RingKV 调度\n"
)
AGENTS = "agents.md\n# agents\n\n## 2 记忆\n\n### 2.7 摘要文件\n\n摘要文件会丢事实。arXiv:2608.90417。\n"
SAID_NEW = StatedRelation("new", "", "RingKV", 0, 9)
SAID_KNOWN = StatedRelation("known", "主机内存一行", "", 0, 9)
SAID_BOTH = StatedRelation("extends", "主机内存一行", "RingKV", 0, 9)


def _finding(
    stated: str = "",
    *,
    title: str = "RingKV 分层缓存",
    point: str = "吞吐升到 12 tok/s",
    relation: StatedRelation | None = None,
    arxiv_ids: tuple[str, ...] = (),
) -> Finding:
    segment = segment_of(f"## 增量 1：{title}\n\n要点：\n- {point}\n")
    placements = stated_placements(f"建议归入：{stated}") if stated else ()
    return Finding(segment, title, "首字延迟降到三分之一。", arxiv_ids, placements, relation)


def _place(
    finding: Finding,
    model: ScriptedModel | None = None,
    *,
    topic: str | None = "inference",
    known: tuple[str, ...] = (INFERENCE, AGENTS),
    language: Language = "zh",
) -> tuple[Placed, Ledger]:
    ledger = Ledger(model)
    placed = place(finding, topic=topic, knowledge=knowing(*known), ledger=ledger, language=language)
    return placed, ledger


def _chooses(key: str, relation: str = "extends", action: str = "append", line: str = "none") -> ScriptedModel:
    return scripted({"place_increment": {"section": key, "line": line, "relation": relation, "action": action}})


def _named(placements: tuple[Placement, ...]) -> list[tuple[str, str, bool, str]]:
    return [(one.document, one.section, one.exists, one.proposed_by) for one in placements]


# What the note states.


def test_a_stated_section_that_exists_is_taken_as_the_document_writes_it():
    placed, _ = _place(_finding("inference.md · §4.1（补充）"))

    (found,) = placed.placements
    assert [("inference.md", "4.1", True, "note")] == _named(placed.placements)
    assert ("分层缓存", "append") == (found.heading, found.action)


def test_a_stated_section_that_is_missing_is_kept_with_its_neighbours():
    placed, _ = _place(_finding("inference.md · §4.9（补充）"))

    assert [("inference.md", "4.9", False, "note")] == _named(placed.placements)
    assert "该节不存在。相近：" in placed.placements[0].reason
    assert "4.1 分层缓存" in placed.placements[0].reason


def test_a_stated_document_that_is_missing_is_kept_and_said_so():
    placed, _ = _place(_finding("hardware.md · §1.1（补充）"), language="en")

    assert [("hardware.md", "1.1", False, "note")] == _named(placed.placements)
    assert "There is no such living document." in placed.placements[0].reason


def test_a_document_named_without_a_section_is_not_said_to_lack_one():
    placed, _ = _place(_finding("inference.md（补充）"))

    assert [("inference.md", "", False, "note")] == _named(placed.placements)
    assert "该节不存在" not in placed.placements[0].reason


def test_a_section_without_a_document_is_one_of_the_notes_topic():
    placed, _ = _place(_finding("§4.2（补充）"), topic="inference")

    assert [("inference.md", "4.2", True, "note")] == _named(placed.placements)


def test_without_a_topic_it_is_one_of_the_only_document_that_has_it():
    placed, _ = _place(_finding("§2.7（补充）"), topic=None)

    assert [("agents.md", "2.7", True, "note")] == _named(placed.placements)


def test_without_a_topic_a_section_that_two_documents_have_is_left_open():
    twice = INFERENCE.replace("inference", "serving")

    placed, _ = _place(_finding("§4.1（补充）"), topic=None, known=(INFERENCE, twice))

    assert [("", "4.1", False, "note")] == _named(placed.placements)


def test_what_is_stated_twice_is_kept_once():
    placed, _ = _place(_finding("inference.md · §4.1（补充）、§4.1（补充）"))

    assert 1 == len(placed.placements)


# Without a model.


def test_without_a_stated_place_and_without_a_model_code_proposes_the_nearest_section():
    placed, _ = _place(_finding())

    assert [("inference.md", "4.1", True, "code")] == _named(placed.placements)


def test_where_no_section_shares_its_words_nothing_is_proposed():
    placed, _ = _place(_finding(title="光刻机的交付排期"), known=(AGENTS,))

    assert () == placed.placements


@pytest.mark.parametrize(
    ("relation", "reason", "finding"),
    [
        ("extends", "", _finding()),  # the nearest section names it, without its figure
        ("new", "", _finding(title="光刻机的交付排期", point="交付推迟到 9 个月")),
        (
            "extends",
            "",
            _finding(title="光刻机的交付排期", point="推迟 9 个月", arxiv_ids=("2608.90417",)),
        ),  # agents.md has it
        ("known", "主机内存一行", _finding(relation=SAID_KNOWN)),
        ("extends", "主机内存一行 / RingKV", _finding(relation=SAID_BOTH)),
    ],
)
def test_the_relation_is_what_the_note_says_else_what_the_section_shows(relation, reason, finding):
    placed, _ = _place(finding)

    assert (relation, reason) == (placed.relation, placed.reason)


# With a model.


def test_a_model_is_shown_the_stated_sections_alone_with_lines_of_their_present_content():
    model = _chooses("A")

    _place(_finding("inference.md · §4.2（补充）"), model)

    (request,) = model.requests
    shown = request.messages[-1].content
    assert "A · inference.md 4.2 量化\nA1 KV 量化到 4 比特。\n" in shown
    assert "4.1" not in shown
    assert ["A1", "none"] == request.reply.model_json_schema()["properties"]["line"]["enum"]


def test_where_no_stated_section_exists_it_is_shown_those_that_code_found():
    model = _chooses("A")

    placed, _ = _place(_finding("hardware.md · §1.1（补充）"), model)

    assert [("hardware.md", "1.1", False, "note"), ("inference.md", "4.1", True, "model")] == _named(placed.placements)


def test_it_can_choose_nothing_but_a_candidates_key_or_none():
    def outside(request: Request) -> dict[str, str]:
        keys = request.reply.model_json_schema()["properties"]["section"]["enum"]
        assert [*"ABCDEF"[: len(keys) - 1], "none"] == keys
        return {"section": "F", "line": "none", "relation": "new", "action": "append"}

    _, ledger = _place(_finding(), scripted({"place_increment": outside}))

    assert ["invalid"] == [failure.reason for failure in ledger.failures]


def test_its_choice_is_added_with_what_stands_there_as_the_reason():
    placed, ledger = _place(_finding(), _chooses("A", action="replace_row"))

    (found,) = placed.placements
    assert ("inference.md", "4.1", "model", "replace_row") == (
        found.document,
        found.section,
        found.proposed_by,
        found.action,
    )
    assert "该节现有：RingKV 把 KV 放进主机内存。" == found.reason == placed.reason
    assert ("extends", 1) == (placed.relation, ledger.usage.calls)


def test_an_empty_section_is_said_to_be_empty():
    placed, _ = _place(_finding("inference.md · §4.3（补充）", title="RingKV 调度"), _chooses("A", "new"))

    assert "该节还是空的。" == placed.reason


def test_a_choice_that_the_note_states_too_stays_the_notes():
    placed, _ = _place(_finding("inference.md · §4.1（新增小节）"), _chooses("A", action="append"))

    (found,) = placed.placements
    assert ("note", "new_subsection") == (found.proposed_by, found.action)


def test_the_notes_words_on_the_relation_stay_the_reason():
    placed, _ = _place(_finding(relation=SAID_BOTH), _chooses("A"))

    assert "主机内存一行 / RingKV" == placed.reason


@pytest.mark.parametrize(
    ("relation", "finding"),
    [("new", _finding(relation=SAID_NEW)), ("known", _finding(relation=SAID_KNOWN))],
)
def test_a_models_known_gives_way_to_what_the_note_says(relation, finding):
    assert relation == _place(finding, _chooses("A", "known"))[0].relation


@pytest.mark.parametrize(
    ("relation", "said", "point"),
    [
        ("known", "known", "吞吐升到 30 tok/s"),
        ("extends", "known", "吞吐升到 12 tok/s"),  # the section has no such figure
        ("extends", "contradicts", "吞吐升到 30 tok/s"),
        ("new", "new", "吞吐升到 12 tok/s"),
    ],
)
def test_a_models_relation_is_held_to_what_stands_in_the_section(relation, said, point):
    known = (INFERENCE.replace("主机内存。", "主机内存，吞吐 30 tok/s。"),)

    assert relation == _place(_finding(point=point), _chooses("A", said, line="A1"), known=known)[0].relation


def test_a_finding_contradicts_a_line_that_has_another_figure_for_the_same():
    known = ("inference.md\n# inference\n\n## 4 KV\n\n### 4.1 分层缓存\n\n- RingKV 的吞吐：30 tok/s\n",)

    placed, _ = _place(_finding(point="吞吐：12 tok/s"), _chooses("A", "contradicts", line="A1"), known=known)

    assert "contradicts" == placed.relation
    assert [("inference.md", "4.1", 7, "- RingKV 的吞吐：30 tok/s")] == [
        (one.document, one.section, one.line, one.quote) for one in placed.standing
    ]


def test_the_line_that_a_finding_touches_is_quoted_with_its_place_unless_the_finding_is_new():
    extends, _ = _place(_finding(), _chooses("A", line="A1"))
    new, _ = _place(_finding(), _chooses("A", "new", line="A1"))

    assert [(7, "RingKV 把 KV 放进主机内存。")] == [(one.line, one.quote) for one in extends.standing]
    assert () == new.standing


def test_a_line_of_another_section_than_the_chosen_one_is_not_taken():
    model = _chooses("A", line="B1")

    placed, _ = _place(_finding("inference.md · §4.1、§4.2（补充）", title="RingKV 分层缓存 KV 量化"), model)

    assert "B1 KV 量化到 4 比特。" in model.requests[0].messages[-1].content
    assert ["4.1"] == [one.section for one in placed.standing]


def test_without_a_model_the_line_that_a_stated_section_has_of_it_is_quoted():
    placed, _ = _place(_finding("inference.md · §4.1（补充）", relation=SAID_BOTH))

    assert [("4.1", 7)] == [(one.section, one.line) for one in placed.standing]
    assert () == _place(_finding("inference.md · §4.1（补充）", relation=SAID_NEW))[0].standing


@pytest.mark.parametrize(
    ("prompt", "title", "point"),
    [
        ("place_increment_zh", "RingKV 分层缓存", "吞吐升到 12 tok/s"),
        ("place_increment", "RingKV keeps pages in host memory", "throughput rises to 12 tok/s"),
    ],
)
def test_it_is_asked_in_the_language_of_the_note(prompt, title, point):
    model = _chooses("A")

    _place(replace(_finding(title=title, point=point), summary=""), model)

    assert [prompt] == [request.prompt.partition("@")[0] for request in model.requests]


@pytest.mark.parametrize(
    ("relation", "finding"),
    [
        ("known", _finding(relation=SAID_KNOWN)),
        ("extends", _finding(arxiv_ids=("2608.90417",))),
    ],
)
def test_none_chosen_leaves_what_code_can_say(relation, finding):
    placed, _ = _place(finding, _chooses("none", "new"))

    assert ((), relation) == (placed.placements, placed.relation)


def test_a_lost_call_is_noted_and_code_answers_alone():
    placed, ledger = _place(_finding(), scripted({"place_increment": ReplyInvalid("The reply does not fit.")}))

    assert [("inference.md", "4.1", True, "code")] == _named(placed.placements)
    assert ["invalid"] == [failure.reason for failure in ledger.failures]


def test_what_ends_the_run_goes_on_to_the_caller():
    with pytest.raises(BudgetExceeded):
        _place(_finding(), scripted({"place_increment": BudgetExceeded("nothing left")}))


def test_where_there_is_no_candidate_no_question_is_asked():
    placed, ledger = _place(_finding(title="光刻机的交付排期"), ScriptedModel({}), known=(AGENTS,))

    assert ((), 0) == (placed.placements, ledger.usage.calls)


def test_at_most_six_stated_sections_are_shown():
    sections = "".join(f"### 4.{number} 缓存\n\n第 {number} 节。\n\n" for number in range(1, 9))
    stated = "、".join(f"§4.{number}" for number in range(1, 9))
    model = _chooses("F")

    placed, _ = _place(
        _finding(f"inference.md · {stated}（补充）"),
        model,
        known=(f"inference.md\n# inference\n\n## 4 KV\n\n{sections}",),
    )

    assert ["A", "B", "C", "D", "E", "F", "none"] == model.requests[0].reply.model_json_schema()["properties"][
        "section"
    ]["enum"]
    assert 8 == len(placed.placements)


@pytest.mark.parametrize("relation", [None, SAID_NEW])
def test_a_product_of_which_the_document_has_an_older_version_is_not_new(relation):
    document = "inference.md\n# inference\n\n## 4 引擎\n\n### 4.1 版本\n\nMora v0.30.0：此后未记录。\n"
    placed, _ = _place(_finding("inference.md §4.1", title="Mora v0.32.0 发布", relation=relation), known=(document,))
    assert ("extends", ["Mora v0.30.0：此后未记录。"]) == (placed.relation, [line.quote for line in placed.standing])
    placed, _ = _place(_finding("inference.md §4.1", title="Mora v0.29.0 发布", relation=SAID_NEW), known=(document,))
    assert "new" == placed.relation
