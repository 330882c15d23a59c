"""Briefs about the worked example in which everything holds, and copies of them with one thing altered."""

import datetime as dt
import re
from collections.abc import Iterator
from pathlib import Path

from agent.auditing.audit import Surroundings, audit
from agent.auditing.findings import Audit
from agent.checking.check import claims_of, disputes_in
from agent.checking.dispute import Hand
from agent.checking.raising import raise_all
from agent.extracting.bounds import bounded
from agent.reading.documents import parse_document
from agent.reading.names import parse_note_name
from agent.reading.segments import split_segments
from agent.reading.units import split_units
from agent.texts import Note

EXAMPLE = Path(__file__).parent.parent / "agent/example"
DAY = dt.date(2026, 9, 14)

CHINESE = """# 晚间简报 · 2026-09-14

本轮共 4 条增量。

## 增量 1：LMCache 把前缀 KV 放进主机内存

来源：inbox/jay/2026-09-14-1100-jay-engineering-filter.md 增量 1

要点：
- 显存放不下的前缀 KV 写进主机内存，命中后按层取回，取回与计算重叠
- 单卡 H100、Llama-3.1-8B、32K 输入，TTFT 从 2.4 s 降到 0.8 s（3.0×）
- 前缀命中率要不低于 70%；原文写明「命中率低于 30% 时反而慢 5%」

建议归入：llm-infra.md · §2.3 KV Cache（新增小节）

## 增量 2：SGLang v0.6.2 在 8×H100 上的解码吞吐

来源：inbox/jay/2026-09-13-1620-jay-engineering-filter.md 增量 2

要点：
- Llama-3.3-70B FP8、并发 64、输入 1K、输出 256，解码吞吐 4,120 tok/s，五次取平均
- 未开前缀缓存，重叠调度保持默认

建议归入：inference.md · 6.1 吞吐基准（追加一行）

## 增量 3：草稿长度随接受率变化（arXiv:2609.90731）

来源：inbox/tom/2026-09-14-0840-paper-radar.md 条目 1、inbox/flyp/2026-09-14-0950-adaptive-draft-critical-read.md

要点：
- 草稿长度由最近 32 步的接受率决定，不再固定为 4
- Qwen3-32B、单卡 A100、批量 1：解码从 41.5 到 58.1 tok/s（1.4×）；批量 32 时增益只剩 5%

建议归入：inference.md · 5.2 投机解码（新增小节）

## 增量 4：PageKeep 按注意力得分整页驱逐 KV

来源：inbox/tom/2026-09-14-0840-paper-radar.md 条目 2
arXiv 号：2608.90417

要点：
- 只留 20% 的 KV 页，LongBench 得分下降 0.8 分
"""
ENGLISH = """# Evening brief, 2026-09-14

2 increments in all.

## Increment 1: Rewritten summaries lose facts

Source: inbox/flyp/2026-09-13-2140-agent-memory-essay.md
arXiv: 2608.91320

Points:
- After 20 rewrites 31% of the stored facts were gone, mostly dates and names; an append-only log lost 4% over the same sessions.
- The authors ran one model and 50 synthetic users, so the size of the effect is open.
- Of the failed calls, 62% were followed by a second call with exactly the same arguments; a counter brought this down to 19%.
- In flyp's words: "every rewrite is a lossy copy of a lossy copy".

## Increment 2: Draft length from recent acceptance

Source: inbox/flyp/2026-09-14-0950-adaptive-draft-critical-read.md, increment 1
arXiv: 2609.90731

Points:
- The draft length follows the acceptance rate of the last 32 steps; the usual constant is 4.
- On one A100 with Qwen3-32B at batch 1, decoding goes from 41.5 to 58.1 tok/s (1.4×).
- At batch 32 the gain shrinks to 5%, which the abstract leaves out.
- No model above 32B was measured.
"""

ALTERATIONS: dict[str, tuple[tuple[str, str], ...]] = {
    "unit": (
        ("tok/s", "tokens"), ("tok/s", "tok"), ("% ", " pp "), ("70%；", "70 个百分点；"), ("2.4 s", "2.4 ms"), ("0.8 s", "0.8 min"),
        ("0.8 分", "0.8%"), ("31%", "31 pp"), ("62%", "62 points"), ("5%」", "5 ms」"),
    ),
    "negation": (
        ("未开前缀缓存", "已开前缀缓存"), ("未开前缀缓存", "开了前缀缓存"), ("放不下", "放得下"), ("不再固定", "仍然固定"), ("计算重叠", "计算不重叠"),
        ("调度保持", "调度不保持"), ("No model above", "A model above"), ("is open", "is not open"), ("follows the", "never follows the"),
        ("leaves out", "does not leave out"), ("is a lossy", "is not a lossy"), ("were followed", "were not followed"),
    ),
    "comparison": (
        ("不低于 70%", "低于 70%"), ("不低于 70%", "不高于 70%"), ("低于 30%", "高于 30%"), ("反而慢", "反而快"), ("降到 0.8", "升到 0.8"),
        ("下降 0.8", "上升 0.8"), ("shrinks", "grows"), ("above 32B", "below 32B"), ("brought this down", "brought this up"), ("lost 4%", "gained 4%"),
    ),
    "identifier": (
        ("2609.90731", "2609.90732"), ("2609.90731", "2609.90713"), ("2608.90417", "2608.90471"), ("2608.90417", "2608.90477"),
        ("2608.91320", "2608.91329"), ("2609.90731", "2613.90731"), ("2609.90731", "2610.90731"),
    ),
    "source": (
        ("1100-jay", "1200-jay"), ("09-13-1620", "09-13-1621"), ("paper-radar", "papers-radar"), ("0840-paper", "0804-paper"),
        ("adaptive-draft", "adaptive-drafts"), ("inbox/tom", "inbox/jay"), ("memory-essay", "memory-note"), ("2140-agent", "2114-agent"),
        ("inbox/jay/2026-09-14-1100-jay-engineering-filter.md", "inbox/flyp/2026-09-14-0950-adaptive-draft-critical-read.md"),
    ),
    "count": (("共 4 条", "共 5 条"), ("共 4 条", "共 3 条"), ("2 increments in", "3 increments in")),
    "ratio": (("3.0×", "4.0×"), ("3.0×", "2.0×"), ("1.4×", "2.4×"), ("1.4×", "1.9×"), ("1.4×", "14×")),
    "name": (
        ("单卡 H100", "单卡 A100"), ("A100", "H100"), ("Qwen3-32B", "Qwen3-8B"), ("v0.6.2", "v0.6.3"), ("Llama-3.1-8B", "Llama-3.1-70B"),
        ("LMCache 把", "SGLang 把"),
    ),
}  # fmt: skip
_FIGURE = re.compile(r"(?<![\w.§/-])\d[\d,]*(?:\.\d+)?(?= ?(?:%|×|s\b|tok/s|分|synthetic))")


def altered(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield each alteration: its kind, what was done, and the altered brief."""
    for match in _FIGURE.finditer(text):
        figure = match.group()[:-1] + str((int(match.group()[-1]) + 3) % 9 + 1)
        yield "figure", f"{match.group()} > {figure}", text[: match.start()] + figure + text[match.end() :]
    for kind, pairs in ALTERATIONS.items():
        for old, new in pairs:
            for match in re.finditer(re.escape(old), text):
                yield kind, f"{old} > {new}", text[: match.start()] + new + text[match.end() :]


class Desk:
    """The example workspace, read once, to hold many briefs against."""

    def __init__(self) -> None:
        self.notes = tuple(_note(path) for path in sorted(EXAMPLE.glob("inbox/*/*.md")))
        folder = EXAMPLE / "organized/knowledge"
        self.documents = tuple(
            parse_document(path.name, path.read_text(encoding="utf-8"), sha256="")
            for path in sorted(folder.glob("*.md"))
        )
        self.paths = tuple(note.path for note in self.notes)
        self.agents = tuple(sorted({note.agent for note in self.notes}))

    def audit(self, text: str, *, path: str = "/elsewhere/2026-09-14-evening.md") -> Audit:
        """Audit a brief of the example's day, without what other notes say against it."""
        brief = Note(path=path, agent="elsewhere", text=text, date=DAY, sha256="0" * 64)
        segments = split_segments(split_units(text))
        findings = bounded(segments, topics=tuple(document.topic for document in self.documents))
        hand = Hand(brief, segments, findings, agents=self.agents, note_paths=self.paths, documents=self.documents)
        inside = raise_all(disputes_in(hand, claims_of(hand)), language="en").contradictions
        around = Surroundings(
            notes=self.notes, documents=self.documents, paths=self.paths, agents=self.agents, inside=inside
        )
        return audit(brief, around, language="en")


BRIEF = "# A brief\n\n## Increment 1: something\n\nSource: {source}\n\nPoints:\n- {said}\n"


def told(desk: Desk, source: str, said: str) -> list[tuple[str, str, str, str]]:
    """Kind, verdict, rule and words of all that does not hold in a brief of one sentence about one source."""
    audited = desk.audit(BRIEF.format(source=source, said=said))
    return [(one.kind, one.verdict, one.found_by, one.says) for one in audited.findings if one.verdict != "holds"]


def _note(path: Path) -> Note:
    said = parse_note_name(path.name)
    return Note(
        path=path.relative_to(EXAMPLE).as_posix(),
        agent=path.parent.name,
        text=path.read_text(encoding="utf-8"),
        date=said.date or DAY,
        slug=said.slug,
        sha256=path.name,
    )
