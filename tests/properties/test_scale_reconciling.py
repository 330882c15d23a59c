"""How long matching and merging take, and how much memory, over many increments in both languages.

`python -m pytest -m scale -n 0 -s tests/properties/test_scale_reconciling.py` prints the figures. Findings are invented: a
product, what was done to it, what came of it; three in ten are told again by other agents, in other words or in the other language.
"""

import random
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from agent.reconciling.match import match
from agent.reconciling.merge import merge
from agent.records import Credibility, Evidence, Increment, Measure, Point, Source
from tests.sources import ROOT

SYLLABLES = [
    "bra",
    "cor",
    "dun",
    "el",
    "fen",
    "gar",
    "hol",
    "isk",
    "jor",
    "kel",
    "lam",
    "mor",
    "nev",
    "os",
    "pel",
    "quin",
    "rud",
    "sel",
    "tor",
    "ul",
    "ver",
    "wex",
    "yar",
    "zan",
]
KINDS = ("Serve", "KV", "Bench", "Net", "Flow", "Store", "LM", "Cast")
AGENTS = ("tom", "jay", "spark", "stephen", "flyp", "amy", "lin", "noor")
DEEDS = (
    ("把 {what} 放进主机内存", "moves {what} to host memory"),
    ("按租户限制 {what}", "limits {what} per tenant"),
    ("重写了 {what} 的调度", "rewrites the scheduling of {what}"),
    ("给 {what} 加上 INT4 量化", "quantizes {what} to INT4"),
    ("公布 {what} 的事故复盘", "publishes a post-mortem about {what}"),
    ("用蒸馏缩小 {what}", "shrinks {what} by distillation"),
    ("让 {what} 支持断点恢复", "makes {what} resumable after a crash"),
    ("为 {what} 提供公平排队", "queues {what} fairly"),
)
THINGS = (
    ("KV 缓存", "the KV cache"), ("草稿模型", "draft models"), ("检索索引", "the retrieval index"), ("训练数据", "training data"),
    ("推理服务", "the serving tier"), ("智能体记忆", "agent memory"), ("专家路由", "expert routing"), ("检查点", "checkpoints"),
    ("提示词", "prompts"), ("评测集", "the evaluation set"), ("多模态输入", "multimodal inputs"), ("长上下文", "long contexts"),
)  # fmt: skip
METRICS = (
    ("吞吐", "throughput", "tok/s"),
    ("TTFT", "TTFT", "ms"),
    ("命中率", "hit rate", "%"),
    ("显存", "memory", "GB"),
)
MODELS = ("Corvid-8B", "Tarn-32B", "Moraine-70B", "Heron-30B", "Plover-8B")
CARDS = ("H100", "A100", "L40S", "RTX 5090")

SIZES = (10_000, 100_000)
MOST_SECONDS = {10_000: 10.0, 100_000: 180.0}
MOST_MEGABYTES = 2_000
MOST_GROWTH = 1.3


def increments(number: int, seed: int = 7) -> Iterator[Increment]:
    """Yield findings that agents told over many days, three in ten of them again."""
    chance = random.Random(seed)
    told: list[tuple[int, int]] = []
    for place in range(number):
        is_again = told and chance.random() < 0.3
        finding, teller = chance.choice(told[-5000:]) if is_again else (place, -1)
        agent = chance.choice([one for one in range(len(AGENTS)) if one != teller])
        told.append((finding, agent))
        yield told_by(
            finding, agent=AGENTS[agent], day=place * 60 // number, note=place // 12, place=place, chance=chance
        )


def told_by(finding: int, *, agent: str, day: int, note: int, place: int, chance: random.Random) -> Increment:
    """Tell a finding in one of the languages, in one of its wordings."""
    fixed = random.Random(finding)
    name = "".join(fixed.choices(SYLLABLES, k=2)).capitalize() + fixed.choice(KINDS)
    version = f"{fixed.randint(0, 3)}.{fixed.randint(0, 40)}.{fixed.randint(0, 9)}"
    deed, thing, metric = fixed.choice(DEEDS), fixed.choice(THINGS), fixed.choice(METRICS)
    before, after = round(fixed.uniform(10, 9000), 1), round(fixed.uniform(10, 9000), 1)
    model, card, batch = fixed.choice(MODELS), fixed.choice(CARDS), 2 ** fixed.randint(0, 7)
    paper = f"{fixed.randint(2601, 2609)}.{finding % 90000 + 10000}" if fixed.random() < 0.4 else None
    is_chinese = chance.random() < 0.5
    if is_chinese:
        title = f"{name} v{version} {deed[0].format(what=thing[0])}，{metric[0]}到 {after} {metric[2]}"
        told = [
            f"{model}、单卡 {card}、批大小 {batch}：{metric[0]}由 {before} {metric[2]} 变为 {after} {metric[2]}",
            chance.choice(("默认关闭，升级后要重建缓存", "官方自测，没有第三方复测", "代码已放，作者只测了一种模型")),
        ]
    else:
        title = f"{name} {version} {deed[1].format(what=thing[1])}: {metric[1]} at {after} {metric[2]}"
        told = [
            f"{model} on one {card}, batch {batch}: {metric[1]} goes from {before} {metric[2]} to {after} {metric[2]}.",
            chance.choice(
                ("Off by default; caches are rebuilt.", "Measured by its makers alone.", "Code is out, one model.")
            ),
        ]
    path = f"inbox/{agent}/2026-{7 + day // 30:02}-{day % 30 + 1:02}-{note % 24:02}00-{agent}-{note}.md"
    points = []
    start = place % 12 * 500
    for text in told:
        points.append(
            Point(
                text=text,
                evidence=Evidence(note=path, start=start, end=start + len(text), quote=text, line=place % 12 * 5 + 1),
            )
        )
        start += len(text) + 1
    return Increment(
        id=f"inc-{place:08x}",
        title=title,
        summary=told[0],
        points=tuple(points),
        evidence=tuple(point.evidence for point in points),
        arxiv_ids=(paper,) if paper else (),
        credibility=Credibility(stars=fixed.randint(1, 5), basis="", reason=""),
        sources=(Source(label="post", url=f"https://example.org/{name.lower()}/{version}", resolved=False),)
        if not paper
        else (),
        notes=(path,),
        agents=(agent,),
        relation="new",
        measures=(
            Measure(
                value=after,
                comparator="",
                unit=metric[2],
                metric=metric[is_chinese ^ 1],
                subject="",
                evidence=points[0].evidence,
            ),
        ),
    )


class Tried(NamedTuple):
    """What matching and merging so many increments took: CPU seconds, and the peak memory of the process in MB."""

    match: float
    merge: float
    megabytes: float
    findings: int


def tried(number: int) -> Tried:
    """Match and merge so many increments."""
    found = list(increments(number))
    times = [time.process_time()]
    clusters = match(found).clusters
    times.append(time.process_time())
    merged = [merge([found[index] for index in cluster]) for cluster in clusters]
    times.append(time.process_time())
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return Tried(times[1] - times[0], times[2] - times[1], megabytes, len(merged))


def _tried_apart(number: int) -> Tried:
    """Try in a process of its own, whose peak memory is that of this size alone."""
    code = f"from tests.properties.test_scale_reconciling import tried; print(*tried({number}))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=True, text=True)
    matched, merged, megabytes, findings = done.stdout.split()
    return Tried(float(matched), float(merged), float(megabytes), int(findings))


@pytest.mark.scale
def test_time_and_memory_grow_with_the_increments() -> None:
    """10,000 within 10 seconds, 100,000 within 3 minutes and 2 GB, and time at most 1.3 times as fast as the number."""
    figures = {number: _tried_apart(number) for number in SIZES}
    for number, one in figures.items():
        print(  # noqa: T201 - the figures are asked for
            f"{number:7,} increments to {one.findings:6,} findings: {one.match:.1f} s of CPU to match, {one.merge:.1f} s to merge,"
            f" {one.megabytes:.0f} MB"
        )
    seconds = {number: one.match + one.merge for number, one in figures.items()}

    assert all(seconds[number] <= MOST_SECONDS[number] for number in SIZES)
    assert all(one.megabytes <= MOST_MEGABYTES for one in figures.values())
    assert seconds[SIZES[1]] / SIZES[1] <= MOST_GROWTH * seconds[SIZES[0]] / SIZES[0]


def test_what_is_measured_comes_together() -> None:
    """Of the findings that are told again, nearly all become one, and none with another one."""
    found = list(increments(600))
    clusters = match(found).clusters
    names = [{one.title.split()[0] for one in (found[index] for index in cluster)} for cluster in clusters]

    assert all(len(name) == 1 for name in names)
    assert 0.68 * 600 <= len(clusters) <= 0.78 * 600
