"""Increments made from a few lines of text."""

from collections.abc import Sequence

from agent.records import Credibility, Evidence, Increment, Measure, Point, Source

TOM, JAY, AMY = (f"inbox/{agent}/2026-09-14-{agent}.md" for agent in ("tom", "jay", "amy"))
PAPER = "2609.18141"


def finding(
    title: str,
    *points: str,
    note: str = TOM,
    ids: Sequence[str] = (),
    pages: Sequence[str] = (),
    cites: Sequence[str] = (),
    measures: Sequence[Measure] = (),
    start: int = 0,
) -> Increment:
    """Return an increment of one note that tells these points."""
    places = [
        Evidence(
            note=note, start=start + place * 1000, end=start + place * 1000 + len(text), quote=text, line=place + 1
        )
        for place, text in enumerate(points or (title,))
    ]
    return Increment(
        id=f"inc-{note}-{start}",
        title=title,
        summary="",
        points=tuple(Point(text=text, evidence=evidence) for text, evidence in zip(points, places, strict=False)),
        evidence=tuple(places),
        arxiv_ids=tuple(ids),
        credibility=Credibility(stars=3, basis="", reason=""),
        sources=(
            *(Source(label=url, url=url, resolved=False) for url in pages),
            *(Source(label=cited, note=cited, resolved=True) for cited in cites),
        ),
        notes=(note,),
        agents=(note.split("/")[1],),
        relation="new",
        measures=tuple(measures),
    )


def measure(value: float, unit: str, metric: str = "TTFT", **conditions: str) -> Measure:
    """Return a figure with its meaning."""
    return Measure(
        value=value,
        comparator="",
        unit=unit,
        metric=metric,
        subject="",
        conditions=conditions,
        evidence=Evidence(note="", start=0, end=0, quote="", line=1),
    )
