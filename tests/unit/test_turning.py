import pytest

from agent.auditing.turning import turn_between, turns_behind, turns_within, turns_without


@pytest.mark.parametrize(
    ("expected", "quoted", "stands", "before"),
    [
        ("figure", ["3"], ["8"], ["了"]),
        ("figure", ["三"], ["八"], ["了"]),
        ("figure", ["twice"], ["thrice"], []),
        ("identifier", ["2407.08609"], ["2407.08608"], ["arXiv"]),
        ("version", ["0.31.0"], ["0.32.0"], ["v"]),
        ("version", ["31"], ["32"], ["v"]),
        ("name", ["200"], ["100"], ["H"]),
        ("unit", ["ms"], ["s"], ["2.4"]),
        ("unit", ["%"], ["百", "分", "点"], ["5"]),
        ("unit", [], ["/", "s"], ["18400", "tokens"]),
        ("negation", ["有"], ["无"], []),
        ("negation", [], ["不"], []),
        ("negation", ["is"], ["is", "not"], []),
        ("negation", ["supported"], ["unsupported"], []),
        ("comparison", ["快"], ["慢"], []),
        ("comparison", ["grows"], ["shrinks"], []),
        ("comparison", ["at", "most"], ["at", "least"], []),
        ("comparison", [">"], ["<"], []),
        ("name", ["SGLang"], ["vLLM"], []),
        ("wording", ["采用"], ["使用"], []),
        ("wording", ["tok"], ["tokens"], ["5"]),
        ("wording", ["不", "断"], [], []),
        ("wording", ["increment"], ["entry"], ["1"]),
    ],
)
def test_what_differs_is_named(expected, quoted, stands, before):
    assert expected == turn_between(quoted, stands, before)


@pytest.mark.parametrize(
    ("expected", "text", "passage"),
    [
        ("negation", "不低于70%", "低于70%"),
        ("negation", "it is not permitted", "permitted"),
        ("figure", "12.9x", "2.9x"),
        ("figure", "12.9x", "9x"),
        ("comparison", ">60%", "60%"),
        ("wording", "unable", "able"),
        (None, "特别快", "快"),
        (None, "速度快", "快"),
    ],
)
def test_what_stands_right_before_may_turn_a_passage(expected, text, passage):
    found = turns_behind(text, text.index(passage))

    assert expected == (found[0] if found else None)


@pytest.mark.parametrize(
    ("expected", "text", "passage"),
    [
        ("unit", "shrinks to 5%", "shrinks to 5"),
        ("unit", "提升3倍", "提升3"),
        ("figure", "reaches 58.1", "reaches 58"),
        (None, "reaches 58. Then", "reaches 58"),
        (None, "reaches 58 tok/s", "reaches 58"),
        ("unit", "reaches 58 tok/s", "reaches 58 tok"),
    ],
)
def test_what_stands_right_behind_may_turn_a_passage(expected, text, passage):
    found = turns_without(text, len(passage))

    assert expected == (found[0] if found else None)


@pytest.mark.parametrize(
    ("expected", "gap"),
    [
        ("negation", "not"),
        ("negation", ",并不"),
        ("comparison", ",至少"),
        (None, ",命中后按层取回,"),
        (None, "。这里不行。"),
        (None, ",不同的,"),
    ],
)
def test_what_an_ellipsis_hides_may_turn_a_passage(expected, gap):
    found = turns_within(gap)

    assert expected == (found[0] if found else None)
