"""What a model writes must stand in the units: figures in any script, numbers in words, addresses, identifiers, names."""

import pytest

from agent.extracting.support import unsupported

UNITS = "延迟 2.4 s → 0.8 s（3.0×），两倍吞吐，arXiv:2609.01234v1，代码见 github.com/a/b，90 % of runs"


@pytest.mark.parametrize(
    "text",
    [
        "延迟从 2.4 s 降到 0.8 s，快 3×。",
        "吞吐两倍，见 github.com/a/b。",
        "２.４ s 与 2609.01234v1",
        "一种成熟的方案，半成品不算。",
        "No figure at all.",
    ],
)
def test_what_stands_in_the_units_is_supported(text: str) -> None:
    assert () == unsupported(text, by=UNITS)


@pytest.mark.parametrize(
    ("text", "foreign"),
    [
        ("快了 97 倍", "97"),
        ("提升 𝟗𝟗%", "99"),
        ("提升 ٩٩%", "٩"),
        ("第 ③ 名", "③"),
        ("慢了 ½", "½"),
        ("三倍于前", "三倍"),
        ("百分之五十的请求", "百分之五十"),
        ("九成五的请求", "九成"),
        ("十二万次下载", "十二万"),
        ("延迟减半", "减半"),
        ("three times faster", "three times"),
        ("fifty percent faster", "fifty percent"),
        ("doubled throughput", "doubled"),
        ("见 https://evil.example/pay", "https://evil.example/pay"),
        ("代码在 github.com/evil/foo", "github.com/evil/foo"),
        ("arXiv:2609.01234v9", "2609.01234v9"),
        ("修复 CVE-2026-12345", "CVE-2026-12345"),
    ],
)
def test_what_does_not_is_named(text: str, foreign: str) -> None:
    assert foreign in unsupported(text, by=UNITS)


@pytest.mark.parametrize(
    ("text", "foreign"),
    [
        ("延迟降到 0.8 ms", "0.8 ms"),
        ("延迟升到 0.8 s", "延迟升到 0.8 s"),
        ("从 0.8 s 到 2.4 s", "0.8 → 2.4"),
        ("Kestrel 的延迟降到 0.8 s", "Kestrel"),
        ("Ｋｅｓｔｒｅｌ 的延迟降到 0.8 s", "Kestrel"),  # in any script
    ],
)
def test_what_is_turned_round_is_named_too(text: str, foreign: str) -> None:
    assert (foreign,) == unsupported(text, by="延迟从 2.4 s 降到 0.8 s")


def test_a_name_copied_from_an_example_is_named_unless_the_note_has_it() -> None:
    canaries = ["Quellmark", "澜柯调度器"]

    assert ("澜柯调度器",) == unsupported("澜柯调度器更快", by="更快", canaries=canaries)
    assert ("Quellmark",) == unsupported("quellmark is fast", by="fast", canaries=canaries)
    assert () == unsupported("quellmark is fast", by="Quellmark: fast", canaries=canaries)
