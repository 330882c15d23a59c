"""Gold answers are read as written, or refused with file, line, key and the nearest name that there is."""

import datetime as dt

import pytest

from agent.errors import GoldError
from agent.evaluating.gold import LONGEST, check_pair, near, parse_gold, parse_pair

NOTE = """\
note: inbox/tom/2026-09-14-radar.md
agent: tom
topic: null
date: 2026-09-14
increments:
  - id: tom-1
    lines: [3, 9]
    key: 3-5×
    arxiv: [2607.18140]
    stars: 4
    relation: extends
    placements: [{doc: inference.md, section: 2.10}]
    register: [C59, O136]
    supporting: true
arxiv_all: [2607.18140]
to_verify:
  - {id: tom-w1, lines: [11, 12], key: no}
inside_contradictions:
  - {id: tom-c1, kind: value, what: Two figures., lines: [[3, 3], [9, 9]]}
leads_lines: [13, 14]
leads_count: 2
derived_numbers_ok: ["4.0 vs 2.0 → 2×"]
"""
PAIR = """\
notes: [tom.yaml, spark.yaml]
same: [[tom-1, spark-1]]
apart: [[tom-1, spark-2]]
independent_origins: {tom-1: 1}
contradictions:
  - {id: pair-c1, kind: value, lines: {tom: [[3, 3]], spark: [[4, 5]]}}
coverage: {missed: [{agent: jay, topic: null, slot: "15:00"}], stale: [agents.md]}
"""


def test_what_is_written_stays_as_it_is():
    gold = parse_gold(NOTE, name="tom.yaml")

    (one,) = gold.increments
    assert ("2607.18140", "2.10") == (one.arxiv[0], one.placements[0].section)  # a number would lose its last zero
    assert ("no", None, dt.date(2026, 9, 14)) == (gold.to_verify[0].key, gold.topic, gold.date)
    assert ((3, 9), 4, ("C59", "O136"), True) == (one.lines, one.stars, one.registers, one.supporting)


def test_what_is_left_out_is_not_there():
    text = "note: inbox/a/b.md\nagent: a\ndate: 2026-01-02\nincrements: []\narxiv_all: []\n"

    gold = parse_gold(text, name="a.yaml")

    assert ((), (), None) == (gold.increments, gold.to_verify, gold.leads_lines)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("    key: 3-5×", "    kee: 3-5×", "line 8: increments[1] knows no key 'kee' (near: 'key')."),
        ("arxiv_all:", "arxiv_al:", "'arxiv_al' (near: 'arxiv_all'"),
        ("section: 2.10", "sektion: 2.10", "line 12: increments[1].placements[1] knows no key 'sektion' (near: 'section')"),
        ("    lines: [3, 9]\n", "", "line 6: increments[1] lacks the key 'lines'."),
        ("agent: tom\n", "", "'tom.yaml': it lacks the key 'agent'."),
        ("lines: [3, 9]", "lines: [9, 3]", "line 7: increments[1].lines: ends before it begins: [9, 3]."),
        ("lines: [3, 9]", "lines: [0, 9]", "line 7: increments[1].lines[1]: it should be greater than or equal to 1"),
        ("stars: 4", "stars: 6", "line 10: increments[1].stars: it should be less than or equal to 5, not '6'."),
        ("[2607.18140]\n    stars", "[2607.1814x]\n    stars", "line 9: increments[1].arxiv[1]: '2607.1814x' is no arXiv"),
        ("relation: extends", "relation: extend", "line 11: increments[1].relation"),
        ("id: tom-w1", "id: tom-1", "gives the id 'tom-1' twice."),
        ("agent: tom", "agent: tim", "says agent 'tim', but the note lies in the inbox of 'tom'."),
        ("inbox/tom/2026-09-14-radar.md", "/etc/passwd", "line 1: note: '/etc/passwd' is no path inside the workspace"),
        ("inbox/tom/2026-09-14-radar.md", "inbox/../../x.md", "no path inside the workspace"),
        ("agent: tom", "agent: tom\nagent: tom", "line 3: the key 'agent' stands twice"),
        ("agent: tom", "agent: &a tom", "anchor, alias or tag"),
        ("agent: tom", "agent: !!str tom", "anchor, alias or tag"),
        ("agent: tom", "<<: {agent: tom}", "line 2 has a key that is no text"),
        ("agent: tom", "agent: [tom", "is no valid YAML (line "),
        ("stars: 4", "stars: [[[[[[[4]]]]]]]", "nested too deep"),
        ("date: 2026-09-14", "date: 2026-02-30", "line 4: date"),
    ],
)  # fmt: skip
def test_a_mistake_is_named_with_file_and_line(old, new, says):
    assert old in NOTE

    with pytest.raises(GoldError) as raised:
        parse_gold(NOTE.replace(old, new, 1), name="tom.yaml")

    assert "'tom.yaml'" in str(raised.value)
    assert says in str(raised.value)


@pytest.mark.parametrize("text", ["", "- a\n", "just text", "# nothing\n", "---\na: 1\n---\nb: 2\n", "\x00", "a: \x1b"])
def test_what_is_no_mapping_is_refused(text):
    with pytest.raises(GoldError, match=r"'tom\.yaml'"):
        parse_gold(text, name="tom.yaml")


def test_too_much_is_refused_before_it_is_read():
    with pytest.raises(GoldError, match="longer than 200,000 characters"):
        parse_gold("#" * (LONGEST + 1), name="tom.yaml")
    with pytest.raises(GoldError, match="holds too much"):
        parse_gold("increments: [" + "0," * 20_001 + "]", name="tom.yaml")


def test_a_pair_names_increments_and_agents_that_its_notes_have():
    tom = parse_gold(NOTE, name="tom.yaml")
    other = NOTE.replace("inbox/tom", "inbox/spark").replace("agent: tom", "agent: spark").replace("tom-", "spark-")
    second = "  - {id: spark-2, lines: [20, 21]}\narxiv_all:"
    spark = parse_gold(other.replace("arxiv_all:", second, 1), name="spark.yaml")

    check_pair(parse_pair(PAIR, name="pair-x.yaml"), [tom, spark], name="pair-x.yaml")

    for old, new, says in (
        ("tom-1, spark-1", "tom-1, spark-11", "'spark-11', which none of its notes has (near: 'spark-1'"),
        ("{tom-1: 1}", "{tom-w1: 1}", "'tom-w1', which none of its notes has"),
        ("spark: [[4", "sparc: [[4", "contradiction 'pair-c1' names the agent 'sparc', of whom no note is listed (near: 'spark')"),
    ):  # fmt: skip
        with pytest.raises(GoldError) as raised:
            check_pair(parse_pair(PAIR.replace(old, new), name="pair-x.yaml"), [tom, spark], name="pair-x.yaml")
        assert says in str(raised.value)
    with pytest.raises(GoldError, match="'tom-1' twice"):
        check_pair(parse_pair(PAIR, name="pair-x.yaml"), [tom, tom], name="pair-x.yaml")


@pytest.mark.parametrize("name", ["../tom.yaml", "/tom.yaml", "", "pair-2026.yaml"])
def test_a_pair_lists_notes_beside_it(name):
    with pytest.raises(GoldError, match="in the same folder"):
        parse_pair(PAIR.replace("tom.yaml", f'"{name}"'), name="pair-x.yaml")


def test_the_nearest_names_are_told_or_nothing():
    assert " (near: 'lines')" == near("ligns", ["lines", "key"])
    assert "" == near("zzz", ["lines", "key"])
