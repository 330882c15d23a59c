"""What the handoff and the work queue say themselves, in both languages."""

from collections.abc import Mapping
from dataclasses import dataclass

from agent.records import Action, Language


@dataclass(frozen=True, slots=True)
class Wording:
    """Sentences and headings in one language; braces are filled in."""

    handoff: str
    queue: str
    made_by: str
    first: str
    nothing_amiss: str
    missed: str
    none_missed: str
    failed: str
    stale: str
    never: str
    days: str
    fresh: str
    updated: str
    disputed: str
    documents: str
    no_operations: str
    operation: str
    homeless: str
    actions: Mapping[Action, str]
    cannot: str
    finding: str
    because: str
    place: str
    depends: str
    to_apply: str
    unplaced: str
    contradictions: str
    settle: str
    since: str
    settle_before: str
    says: str
    no_place: str
    to_verify: str
    coverage: str
    again: str
    wrongly_missing: str
    registers: str
    register_columns: tuple[str, ...]
    taken_twice: str
    changed: str
    written: str
    brief: str
    caught_up: str
    updates: str
    cards: str
    waiting: str
    none: str
    opens: str
    closes: str
    comma: str
    stop: str
    colon: str
    states: Mapping[str, str]


_ZH = Wording(
    handoff="交接",
    queue="工作队列",
    made_by="由 relay digest 为 {date} {slot}（{timezone}）这一棒写成，只引用笔记原文，不会自行改动活文档。",
    first="先看这里",
    nothing_amiss="没有缺棒、失败的笔记或过期的活文档。",
    missed="缺棒：{items}",
    none_missed="没有缺棒，也没有失败的笔记。",
    failed="未能读完的笔记：{items}",
    stale="过期的活文档：{items}",
    never="没有更新记录",
    days="{days} 天未更新",
    fresh="当天已更新",
    updated="最后 {date}",
    disputed="先裁定矛盾再应用：{items}",
    documents="待应用的操作",
    no_operations="没有可应用的操作。",
    operation="{action} · {section}",
    homeless="没有可写入的活文档",
    actions={"append": "追加", "new_subsection": "新增小节", "replace_row": "替换一行", "register": "登记"},
    cannot="暂不能应用：{problem}",
    finding="发现",
    because="依据",
    place="归处",
    depends="先裁定矛盾 {items}",
    to_apply="应用：",
    unplaced="没有指明归入何处的发现：{items} 条",
    contradictions="待裁定的矛盾",
    settle="如何裁定：{settle}",
    since="自 {date} 起",
    settle_before="裁定之前不要应用：{items}",
    says="说法",
    no_place="没有指明归入何处",
    to_verify="待核实",
    coverage="覆盖检查",
    again="重复：{items}",
    wrongly_missing="{said} 说 {agent} 缺稿，其实有 {there}",
    registers="登记编号",
    register_columns=("活文档", "类", "已用到", "本次提议", "下一个可用"),
    taken_twice="{label} 已由 {operation} 提议：下一个可用编号是 {next}。",
    changed="活文档 {document} 在本次运行中被改动过：差异以现在的内容为准。",
    written="本棒写下的文件",
    brief="简报",
    caught_up="补跑了错过的棒：{items}",
    updates="活文档更新情况",
    cards="待建卡",
    waiting="待应用的操作：{items}",
    none="无",
    opens="（",
    closes="）",
    comma="、",
    stop="，",
    colon="：",
    states={
        "arrived": "已到",
        "late": "迟到",
        "empty": "空文件",
        "unread": "读不了",
        "missing": "缺",
        "waiting": "未到时间",
        "steady": "正常",
        "falling_back": "在减少",
        "silent": "没有消息",
        "recovered": "已恢复",
        "unknown": "天数太少",
    },
)
_EN = Wording(
    handoff="Handoff",
    queue="Work queue",
    made_by="Written by relay digest for the baton of {date} {slot} ({timezone}); it only quotes notes, and changes no living document by itself.",
    first="Read this first",
    nothing_amiss="No baton was missed, no note failed and no living document has gone stale.",
    missed="Batons missed: {items}",
    none_missed="No baton was missed and no note failed.",
    failed="Notes that could not be read to the end: {items}",
    stale="Stale living documents: {items}",
    never="no update is known",
    days="not updated for {days} days",
    fresh="updated on the day",
    updated="last on {date}",
    disputed="Settle a contradiction before applying: {items}",
    documents="Operations to apply",
    no_operations="There is no operation to apply.",
    operation="{action} · {section}",
    homeless="No living document to write to",
    actions={
        "append": "append",
        "new_subsection": "new subsection",
        "replace_row": "replace a row",
        "register": "register",
    },
    cannot="Cannot be applied yet: {problem}",
    finding="Finding",
    because="Because",
    place="Place",
    depends="settle contradiction {items} first",
    to_apply="To apply:",
    unplaced="Findings that no place is named for: {items}",
    contradictions="Contradictions to settle",
    settle="To settle it: {settle}",
    since="since {date}",
    settle_before="Do not apply before it is settled: {items}",
    says="says",
    no_place="No place is named for these",
    to_verify="To verify",
    coverage="Coverage",
    again="again: {items}",
    wrongly_missing="{said} says that {agent} delivered nothing, but there is {there}",
    registers="Register numbers",
    register_columns=("Living document", "Kind", "Taken up to", "Offered now", "Next free"),
    taken_twice="{label} is offered by {operation} already: the next free number is {next}.",
    changed="{document} changed while this was made: the diffs are against what it is now.",
    written="Files written by this baton",
    brief="brief",
    caught_up="Batons missed before that this one covers: {items}",
    updates="Living documents by their last update",
    cards="Papers without a card",
    waiting="Operations waiting: {items}",
    none="none",
    opens=" (",
    closes=")",
    comma=", ",
    stop=", ",
    colon=": ",
    states={
        "arrived": "arrived",
        "late": "late",
        "empty": "empty",
        "unread": "unreadable",
        "missing": "missing",
        "waiting": "not yet due",
        "steady": "steady",
        "falling_back": "falling back",
        "silent": "silent",
        "recovered": "recovered",
        "unknown": "too few days to tell",
    },
)
WORDING: Mapping[Language, Wording] = {"zh": _ZH, "en": _EN}
