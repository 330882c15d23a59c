"""Digests made by hand, one with something in every field and an empty one."""

import datetime as dt

from agent.batons import Coverage, MissedBaton, StaleDocument
from agent.records import (
    ArxivMention,
    Baseline,
    CheckedNote,
    Contradiction,
    Credibility,
    Digest,
    Evidence,
    Increment,
    Lead,
    Placement,
    Point,
    Register,
    Side,
    Source,
    ToVerify,
    Usage,
    Window,
)

DAY = dt.date(2026, 7, 27)
SPENT = "2 calls, 12,000 tokens in (4,000 of them cached), 90 tokens out (partly estimated)"
TOM, JAY = "inbox/tom/2026-07-27-inference.md", "inbox/jay/2026-07-27-1100-filter.md"


def evidence(line: int, quote: str = "three tiers", note: str = TOM) -> Evidence:
    return Evidence(note=note, start=0, end=len(quote), quote=quote, line=line)


INCREMENT = Increment(
    id="inc-1",
    title="TierKV 缓存框架",
    summary="Three tiers.",
    points=(Point(text="three tiers", evidence=evidence(11)), Point(text="2.4× faster", evidence=evidence(3, note=JAY))),
    evidence=(evidence(11), evidence(3, note=JAY)),
    arxiv_ids=("2607.18141",),
    credibility=Credibility(stars=3, stated=4, basis="paper", reason="one preprint", cautions=("no conditions",)),
    sources=(
        Source(label="project page", url="https://a.example/p", resolved=True),
        Source(label="someone's word", resolved=False),
        Source(label="spark 增量 1", note="inbox/spark/2026-07-27.md", resolved=True),
    ),
    notes=(TOM, JAY),
    agents=("tom", "jay"),
    origins=1,
    placements=(
        Placement(document="inference.md", section="9.2", heading="Trends", action="append", reason="new tier", proposed_by="note", exists=True),
        Placement(document="inference.md", section="9.9", action="append", reason="near: 9.2 Trends", proposed_by="note", exists=False),
    ),
    relation="extends",
    relation_reason="has one line",
    registers=(Register(kind="O", number=136, text="which engines?"),),
)  # fmt: skip
FULL = Digest(
    topic="inference",
    date=DAY,
    window=Window(start=dt.date(2026, 7, 26), end=DAY),
    timezone="Asia/Shanghai",
    language="en",
    agent="digest",
    engine="local",
    model="small-1.5b",
    prompts={"extract_increment": "1"},
    baseline=(Baseline(document="inference.md", updated=DAY, sha256="0"), Baseline(document="rag.md", sha256="0")),
    increments=(INCREMENT,),
    leads=(Lead(text="worth a look", source="jay A", evidence=(evidence(40),)),),
    contradictions=(
        Contradiction(
            id="c1",
            kind="unit",
            statement="one number, two units",
            sides=(
                Side(**evidence(12, "89 tokens").model_dump(), says="amount"),
                Side(**evidence(44, "89 tok/s").model_dump(), says="rate"),
            ),
            found_by="unit",
            severity="high",
        ),
    ),
    to_verify=(ToVerify(claim="3-5×", question="which GPU?", suggestion="measure", evidence=(evidence(60),)),),
    arxiv=(
        ArxivMention(id="2607.18141", versions=(1,), title="Tiers | and more", status="new", notes=(TOM, JAY, "a", "b")),
        ArxivMention(id="2405.04437", status="stock", notes=(TOM,), remarks=("late",)),
    ),
    checked=(
        CheckedNote(
            note=JAY, agent="jay", date=DAY, outcome="extracted", increments=1, detail="two remarks",
            usage=Usage(calls=2, prompt_tokens=12_000, cached_tokens=4_000, completion_tokens=90, is_estimated=True),
        ),
        CheckedNote(note="inbox/jay/x.md", agent="jay", outcome="unreadable", detail="no permission"),
        CheckedNote(note=TOM, agent="tom", date=DAY, outcome="nothing_new"),
    ),
    coverage=Coverage(
        notes=3,
        agents=("jay", "tom"),
        missed=(MissedBaton(agent="amy", topic="rag", slot="18:30"),),
        stale=(StaleDocument(document="rag.md", updated=dt.date(2026, 7, 20), days=7), StaleDocument(document="z.md", updated=None, days=None)),
    ),
    conclusion="3 notes checked.",
    usage=Usage(calls=2, prompt_tokens=12_000, cached_tokens=4_000, completion_tokens=90, is_estimated=True),
)  # fmt: skip
EMPTY = Digest(
    date=DAY, window=FULL.window, timezone="UTC", language="en", agent="digest", engine="none", coverage=Coverage(notes=0), conclusion="Nothing."
)  # fmt: skip
