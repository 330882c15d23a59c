"""Each unit stands under the label that rules it."""

from agent.reading.parts import by_label
from agent.reading.units import split_units


def test_a_label_with_text_rules_its_line_and_one_alone_rules_what_follows():
    units = split_units("来源：甲方博客。\n补了一句话。\n\n要点：\n\n第一点。\n\n第二点。\n")
    parts = by_label(units)

    assert ["来源：甲方博客。"] == [unit.text for unit in parts["source"]]
    assert ["补了一句话。"] == [unit.text for unit in parts[""]]
    assert ["要点：", "第一点。", "第二点。"] == [unit.text for unit in parts["points"]]


def test_points_with_text_behind_the_label_go_on_below_it():
    parts = by_label(split_units("要点：第一点。\n第二点。\n"))

    assert ["要点：第一点。", "第二点。"] == [unit.text for unit in parts["points"]]


def test_a_label_inside_code_rules_nothing():
    parts = by_label(split_units("```\n来源：不是来源\n```\n"))

    assert [] == parts["source"]
