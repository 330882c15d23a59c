"""One exact figure for several things is disputed, unless the text shares it out or the things share it easily."""

import pytest

from agent.checking.dispute import Dispute, Hand
from agent.checking.several import disputes
from tests.noting import a_note, segments_of


def disputed(text: str) -> list[Dispute]:
    return list(disputes(Hand(note=a_note(text), segments=segments_of(text))))


@pytest.mark.parametrize(
    "text",
    [
        "MoE models (Foo V3, Bar K2, Baz 4 Maverick) activate 37B of 685B total parameters",
        "模型（Foo V3、Bar K2、Baz 4）推理时只激活 21B 左右参数但总参数 210B",
        "Foo V3、Bar K2 的总参数为 685B",
        "FooChat and BarChat cost $0.275 per million tokens",
        "FooChat-9B、BarChat-9B 权重大小 18.4 GB",
    ],
)
def test_a_figure_for_several_things_is_disputed(text):
    (dispute,) = disputed(text)

    assert ("figure-for-several", "value") == (dispute.rule, dispute.kind)


@pytest.mark.parametrize(
    "text",
    [
        "Foo V3、Bar K2 的总参数分别为 685B 和 671B",
        "Foo V3 and Bar K2 each have 685B total parameters",
        "Foo V3、Bar K2 均为 685B 参数",
        "Foo V3、Bar K2 合计 685B 参数",
        "Foo V3 / Bar K2：685B / 671B 参数",
        "相比 Foo V3、Bar K2，BazNet 的总参数为 685B",
        "支持 Foo V3、Bar K2 等模型，最大 685B 参数",
        "Foo V3 and Bar K2 support 128K context",
        "Foo V3、Foo R1 总参数 671B",
        "对比了 Foo V3、Bar K2；新模型总参数 685B",
        "FooServe 与 BarServe 的吞吐为 3,456 tok/s",
        "Foo V3、Bar K2 总参数超过 685B",
        "`Foo V3、Bar K2` 之外，总参数为 685B",
    ],
)
def test_what_is_shared_out_or_said_of_another_thing_is_not(text):
    assert [] == disputed(text)


def test_the_same_in_several_places_is_one_dispute_with_a_side_for_each():
    text = "## 一\n\nFoo V3、Bar K2 的总参数为 685B。\n\n## 二\n\nBar K2/Foo V3 总参数 685B。\n"
    (dispute,) = disputed(text)

    assert [3, 7] == [side.evidence.line for side in dispute.sides]
    assert ("bar", "foo", "6.85e+11") == dispute.key
