"""Every fixed text of a digest, in Chinese and in English.

A text in braces is filled in by whoever uses it. Both languages have every text: the class leaves no field out, and a
test compares the lists and the names in braces.
"""

from dataclasses import dataclass
from typing import NamedTuple

from agent.records import Action, ContradictionKind, Engine, Language, NoIncrementReason, Outcome, Relation, Tie
from agent.texts import RegisterKind


class Count(NamedTuple):
    """A number with its noun; `{n}` is the number."""

    one: str
    many: str

    def __call__(self, number: int) -> str:
        """Return the text for this number."""
        return (self.one if number == 1 else self.many).format(n=number)


@dataclass(frozen=True, slots=True)
class Words:
    """The fixed texts of one language, in the order of a digest."""

    colon: str
    comma: str  # between names
    clause: str  # between statements
    semicolon: str
    space: str  # between two sentences
    in_brackets: str
    none: str

    no_model: str
    title_topic: str
    title_all: str
    window: str
    window_value: str
    made_by: str
    engines: dict[Engine, str]
    agents: str
    baseline: str
    updated: str
    not_dated: str

    summary: str
    seen_same: str
    seen_changed: str
    details: str
    seen_on: str
    seen_titled: str
    seen_unchanged: str
    kept_apart: str
    ties: dict[Tie, str]
    apart_by: dict[str, str]  # what keeps two findings apart, by what the matcher calls it
    stars: str
    stated: str
    basis: str
    reason: str
    cautions: str
    lineage: str
    origins: Count
    sources: str
    not_found: str
    arxiv: str
    points: str
    quotes: str
    relation: str
    relations: dict[Relation, str]
    standing: str
    placements: str
    actions: dict[Action, str]
    proposers: dict[str, str]
    section_missing: str
    registers: str
    register_kinds: dict[RegisterKind, str]
    register_stated: str

    leads: str
    open_questions: str
    contradictions: str
    kinds: dict[ContradictionKind, str]
    severities: dict[str, str]
    settle: str
    also_affects: str
    concerns: str
    open_since: str
    to_verify: str
    question: str
    suggestion: str
    found_by_rule: str
    found_by_model: str

    arxiv_list: str
    arxiv_columns: tuple[str, str, str, str, str]
    statuses: dict[str, str]
    checked: str
    outcomes: dict[Outcome, str]
    because: dict[NoIncrementReason, str]
    coverage: str
    nothing_missed: str
    missed: str
    stale: str
    stale_since: str
    usually: str
    baton_states: dict[str, str]
    minutes_late: str
    rhythms: dict[str, str]
    wrongly_missing: str
    no_plan: str
    nobody: str
    conclusion: str
    cost: str
    cost_value: str
    cost_cached: str
    cost_none: str
    estimated: str

    notes: Count
    increments: Count
    agents_counted: Count
    days: Count
    calls: Count
    concluded: str
    concluded_nothing: str
    confirmed: Count
    unchanged: Count
    first_to_read: str
    new_papers: Count
    left_open: str
    claims: Count
    contradictions_counted: Count
    unread: Count
    gaps: str
    batons: Count
    documents: Count


_ZH = Words(
    colon="：",
    comma="、",
    clause="，",
    semicolon="；",
    space="",
    in_brackets="（{text}）",
    none="无。",
    no_model="本简报没有调用模型：只含程序从笔记里直接读出的内容，评级和归位未经模型判断。",
    title_topic="{topic} · 预消化简报（{date}）",
    title_all="全部主题 · 预消化简报（{date}）",
    window="时段",
    window_value="{start} 至 {end}（{timezone}）",
    made_by="生成",
    engines={"remote": "远程模型", "local": "本地模型", "none": "不用模型"},
    agents="覆盖",
    baseline="活文档基准",
    updated="{date} 更新",
    not_dated="更新日期不明",
    summary="增量摘要",
    seen_same="{date} 已见，无变化",
    seen_changed="{date} 已见，有变化",
    details="增量详情",
    seen_on="{date} 已见",
    seen_titled="当时题为「{title}」",
    seen_unchanged="此后无变化",
    kept_apart="相近但未合并",
    ties={"complements": "互补", "contradicts": "相矛盾"},
    apart_by={
        "agent": "同一 agent 先后所写",
        "case": "一处只是个案",
        "conditions": "条件不同",
        "direction": "方向相反",
        "identifier": "论文编号不同",
        "name": "名称不同",
        "negation": "一处肯定，一处否定",
        "note": "出自同一份笔记",
        "number": "数字不同",
        "role": "角色对调",
        "unit": "单位不同",
        "value": "数值不同",
        "version": "版本不同",
        "stance": "一方转述对方的看法而不认同",
        "aspect": "说的是不同方面",
        "judged": "模型判断不是一回事",
    },
    stars="可信度",
    stated="笔记自评 {stars}",
    basis="依据",
    reason="理由",
    cautions="注意",
    lineage="源流",
    origins=Count("{n} 个源头", "{n} 个源头"),
    sources="来源",
    not_found="未找到",
    arxiv="arXiv 号",
    points="要点",
    quotes="原文",
    relation="与活文档的关系",
    relations={"new": "未收录", "extends": "补充已有内容", "known": "已收录", "contradicts": "与已有内容矛盾"},
    standing="{document} 第 {line} 行现写",
    placements="建议归入",
    actions={"append": "追加", "new_subsection": "新增小节", "replace_row": "替换一行", "register": "登记"},
    proposers={"note": "笔记提出", "model": "模型提出", "code": "程序检索"},
    section_missing="该节不存在",
    registers="登记候选",
    register_kinds={"C": "共识", "D": "争议", "O": "开放问题", "T": "趋势"},
    register_stated="笔记用的是 {number}",
    leads="次级线索",
    open_questions="矛盾与待核实",
    contradictions="矛盾",
    kinds={
        "value": "数值",
        "unit": "单位",
        "arithmetic": "算术",
        "conditions": "条件",
        "version": "版本",
        "role": "角色",
        "novelty": "新旧",
        "rating": "评级",
        "source": "来源",
        "identifier": "编号",
        "count": "计数",
        "register": "登记号",
        "coverage": "覆盖",
    },
    severities={"low": "低", "medium": "中", "high": "高"},
    settle="如何判定",
    also_affects="还涉及",
    concerns="涉及增量",
    open_since="{date} 起未决",
    to_verify="待核实",
    question="问题",
    suggestion="建议",
    found_by_rule="规则 {name}",
    found_by_model="模型发现",
    arxiv_list="arXiv 号列表",
    arxiv_columns=("arXiv 号", "标题", "状态", "出处", "备注"),
    statuses={"new": "新增", "stock": "存量"},
    checked="检查过的笔记",
    outcomes={
        "extracted": "已提取",
        "nothing_new": "没有新内容",
        "partly_failed": "部分未能提取",
        "failed": "提取失败",
        "not_tried": "未处理",
        "empty": "空文件",
        "unreadable": "无法读取",
        "not_text": "不是文本",
        "too_large": "过大",
        "not_followed": "链接或特殊文件，未跟随",
        "being_written": "正在写入",
        "gone": "读取前已消失",
        "own": "本程序的产物",
        "ignored": "临时文件，忽略",
    },
    because={
        "says_so": "笔记自己说没有新增",
        "about_the_relay": "只谈接力本身",
        "nothing_reported": "没有一段报告带单位的数字、论文、版本或发布",
        "nothing_marked": "模型看过各段，没有标出新知识",
        "nothing_bounded": "没有读：笔记没有划出增量，需要模型来读",
    },
    coverage="覆盖检查",
    nothing_missed="没有缺棒，也没有过期的活文档。",
    missed="缺棒",
    stale="过期的活文档",
    stale_since="{date} 之后未更新，已 {days}",
    usually="{what}（没有计划；按以往通常会到）",
    baton_states={"late": "迟到", "empty": "空文件", "unread": "读不了", "twice": "重复交稿"},
    minutes_late="晚 {minutes} 分钟",
    rhythms={"falling_back": "近来交稿减少", "silent": "近来没有交稿", "recovered": "恢复交稿"},
    wrongly_missing="说 {agent} 缺稿，其实有 {there}：",
    no_plan="没有交稿计划；来稿的有：{agents}。也没有过期的活文档。",
    nobody="无",
    conclusion="结论",
    cost="用量",
    cost_value="{calls}，输入 {prompt} tokens{cached}，输出 {completion} tokens",
    cost_cached="其中缓存 {tokens}",
    cost_none="没有模型调用",
    estimated="含估算",
    notes=Count("{n} 份笔记", "{n} 份笔记"),
    increments=Count("{n} 条增量", "{n} 条增量"),
    agents_counted=Count("{n} 个 agent", "{n} 个 agent"),
    days=Count("{n} 天", "{n} 天"),
    calls=Count("{n} 次调用", "{n} 次调用"),
    concluded="检查 {notes}，得到 {increments}。",
    concluded_nothing="检查 {notes}，没有新的增量。",
    confirmed=Count("其中 {n} 条有两个以上的独立来源。", "其中 {n} 条有两个以上的独立来源。"),
    unchanged=Count("{n} 条已在先前的简报中，没有变化。", "{n} 条已在先前的简报中，没有变化。"),
    first_to_read="先读：{titles}。",
    new_papers=Count("新增 arXiv 号 {n} 个。", "新增 arXiv 号 {n} 个。"),
    left_open="尚待处理：{items}。",
    claims=Count("{n} 条待核实", "{n} 条待核实"),
    contradictions_counted=Count("{n} 处矛盾", "{n} 处矛盾"),
    unread=Count("有 {n} 份笔记没有读完，见「检查过的笔记」。", "有 {n} 份笔记没有读完，见「检查过的笔记」。"),
    gaps="覆盖缺口：{items}。",
    batons=Count("缺 {n} 棒", "缺 {n} 棒"),
    documents=Count("{n} 份活文档过期", "{n} 份活文档过期"),
)

_EN = Words(
    colon=": ",
    comma=", ",
    clause=", ",
    semicolon="; ",
    space=" ",
    in_brackets=" ({text})",
    none="None.",
    no_model="No model was called for this digest: it holds only what the program read in the notes itself; ratings and "
    "placements were not judged by a model.",
    title_topic="{topic} · digest of {date}",
    title_all="All topics · digest of {date}",
    window="Window",
    window_value="{start} to {end} ({timezone})",
    made_by="Made by",
    engines={"remote": "remote model", "local": "local model", "none": "no model"},
    agents="Read",
    baseline="Baseline",
    updated="updated {date}",
    not_dated="date of last update unknown",
    summary="Increments at a glance",
    seen_same="seen on {date}, unchanged",
    seen_changed="seen on {date}, changed since",
    details="Increments in detail",
    seen_on="Seen on {date}",
    seen_titled="then titled “{title}”",
    seen_unchanged="unchanged since",
    kept_apart="Near, but kept apart",
    ties={"complements": "complements this", "contradicts": "contradicts this"},
    apart_by={
        "agent": "one agent wrote both",
        "case": "one is a single case",
        "conditions": "conditions differ",
        "direction": "opposite directions",
        "identifier": "papers differ",
        "name": "names differ",
        "negation": "one says so, the other denies it",
        "note": "one note has both",
        "number": "numbers differ",
        "role": "roles are swapped",
        "unit": "units differ",
        "value": "values differ",
        "version": "versions differ",
        "stance": "one tells the other's view and does not take it",
        "aspect": "another aspect",
        "judged": "not one finding, as the model judged",
    },
    stars="Credibility",
    stated="the note says {stars}",
    basis="basis",
    reason="reason",
    cautions="Caution",
    lineage="Lineage",
    origins=Count("{n} origin", "{n} origins"),
    sources="Sources",
    not_found="not found",
    arxiv="arXiv",
    points="Points",
    quotes="Quotes",
    relation="Relation to the living documents",
    relations={
        "new": "new",
        "extends": "extends what is there",
        "known": "already there",
        "contradicts": "contradicts what is there",
    },
    standing="{document} line {line} says",
    placements="Belongs in",
    actions={
        "append": "append",
        "new_subsection": "new subsection",
        "replace_row": "replace a row",
        "register": "register",
    },
    proposers={"note": "proposed by the note", "model": "proposed by the model", "code": "found by the program"},
    section_missing="no such section",
    registers="For the registers",
    register_kinds={"C": "consensus", "D": "dispute", "O": "open question", "T": "trend"},
    register_stated="the note took {number}",
    leads="Leads",
    open_questions="Contradictions and claims to verify",
    contradictions="Contradictions",
    kinds={
        "value": "value",
        "unit": "unit",
        "arithmetic": "arithmetic",
        "conditions": "conditions",
        "version": "version",
        "role": "role",
        "novelty": "novelty",
        "rating": "rating",
        "source": "source",
        "identifier": "identifier",
        "count": "count",
        "register": "register number",
        "coverage": "coverage",
    },
    severities={"low": "low", "medium": "medium", "high": "high"},
    settle="To settle it",
    also_affects="Also affects",
    concerns="Increments concerned",
    open_since="open since {date}",
    to_verify="To verify",
    question="Question",
    suggestion="Suggestion",
    found_by_rule="rule {name}",
    found_by_model="found by the model",
    arxiv_list="arXiv identifiers",
    arxiv_columns=("arXiv", "Title", "Status", "Notes", "Remarks"),
    statuses={"new": "new", "stock": "in stock"},
    checked="Notes checked",
    outcomes={
        "extracted": "extracted",
        "nothing_new": "nothing new",
        "partly_failed": "partly not extracted",
        "failed": "extraction failed",
        "not_tried": "not tried",
        "empty": "empty",
        "unreadable": "unreadable",
        "not_text": "no text",
        "too_large": "too large",
        "not_followed": "link or special file, not followed",
        "being_written": "still being written",
        "gone": "gone before it was read",
        "own": "made by this program",
        "ignored": "leftover, ignored",
    },
    because={
        "says_so": "the note says itself that nothing is new",
        "about_the_relay": "it is about the relay only",
        "nothing_reported": "no passage reports a figure with a unit, a paper, a version or a release",
        "nothing_marked": "the model read its passages and marked no new knowledge",
        "nothing_bounded": "not read: nothing in it bounds an increment, and that needs a model",
    },
    coverage="Coverage",
    nothing_missed="No baton was missed and no living document has gone stale.",
    missed="Batons missed",
    stale="Stale living documents",
    stale_since="not updated since {date}, {days}",
    usually="{what} (not planned; it usually comes)",
    baton_states={"late": "Late", "empty": "Empty file", "unread": "Unreadable", "twice": "Delivered twice"},
    minutes_late="{minutes} minutes late",
    rhythms={
        "falling_back": "Comes less lately",
        "silent": "Has not come lately",
        "recovered": "Comes again",
    },
    wrongly_missing="says that {agent} delivered nothing, but there is {there}:",
    no_plan="No baton is planned; notes came from: {agents}. No living document has gone stale.",
    nobody="nobody",
    conclusion="Conclusion",
    cost="Cost",
    cost_value="{calls}, {prompt} tokens in{cached}, {completion} tokens out",
    cost_cached="{tokens} of them cached",
    cost_none="no model calls",
    estimated="partly estimated",
    notes=Count("{n} note", "{n} notes"),
    increments=Count("{n} increment", "{n} increments"),
    agents_counted=Count("{n} agent", "{n} agents"),
    days=Count("{n} day", "{n} days"),
    calls=Count("{n} call", "{n} calls"),
    concluded="{notes} checked, {increments} found.",
    concluded_nothing="{notes} checked, no increment found.",
    confirmed=Count(
        "{n} of them rests on two or more independent origins.", "{n} of them rest on two or more independent origins."
    ),
    unchanged=Count(
        "{n} of them was in an earlier digest and has not changed.",
        "{n} of them were in an earlier digest and have not changed.",
    ),
    first_to_read="Read first: {titles}.",
    new_papers=Count("{n} arXiv identifier is new.", "{n} arXiv identifiers are new."),
    left_open="Left open: {items}.",
    claims=Count("{n} claim to verify", "{n} claims to verify"),
    contradictions_counted=Count("{n} contradiction", "{n} contradictions"),
    unread=Count(
        "{n} note was not read to the end; see the notes checked.",
        "{n} notes were not read to the end; see the notes checked.",
    ),
    gaps="Gaps in coverage: {items}.",
    batons=Count("{n} baton missed", "{n} batons missed"),
    documents=Count("{n} living document stale", "{n} living documents stale"),
)

WORDS: dict[Language, Words] = {"zh": _ZH, "en": _EN}
