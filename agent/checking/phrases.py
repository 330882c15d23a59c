"""The words in which disputes are raised, in both languages: the statement, and what would settle it.

Placeholders: `about`, `sides` (what each side says, joined), and the names that a rule gives in `details`.
"""

from dataclasses import dataclass

from agent.checking.dispute import Rule
from agent.records import Language


@dataclass(frozen=True, slots=True)
class Phrase:
    """How one rule speaks."""

    statement: str
    settle: str


JOINT: dict[Language, str] = {"zh": " ↔ ", "en": " ↔ "}

PHRASES: dict[Language, dict[Rule, Phrase]] = {
    "zh": {
        "value": Phrase("{about}：同一指标、同一条件下数值不同：{sides}。", "回到一手来源核对数值与测试条件。"),
        "value-conditions": Phrase(
            "{about}：数值不同，但条件是否相同没有写明：{sides}。", "补齐两边的测试条件（硬件、批大小、精度、数据集、上下文长度）再比较。"
        ),
        "figure-for-several": Phrase("{about}：同一个精确数字被同时算在几样东西上：{sides}。", "逐个核对每一样的数字。"),
        "unit": Phrase("{about}：同一个数字带着不同的单位：{sides}。", "在一手来源中核对单位。"),
        "ratio": Phrase("{about}：写明的 {stated} 与它的数字不符，算出来约为 {expected}：{sides}。", "核对这几个数字里哪个抄错了。"),
        "table-conditions": Phrase("{about}：表头写的条件是 {header}，单元格里却是 {cell}：{sides}。", "按条件拆成两列，或补测同一条件。"),
        "ranked-across": Phrase("{about}：各自的条件不同，却拿来比较：{sides}。", "在同一条件下重测，或分开列出，不排名次。"),
        "which-version": Phrase("{about}：说的是哪个版本，两处不一：{sides}。", "查官方变更记录。"),
        "two-identifiers": Phrase("{about}：同一篇论文写了两个编号：{sides}。", "在 arXiv 上按标题核对编号。"),
        "newest-version": Phrase("{about}：最新版本各说各的：{sides}。", "查官方发布页。"),
        "roles-swapped": Phrase("{about}：两者的角色被对调：{sides}。", "以一手来源的说法为准，改正另一处。"),
        "order-swapped": Phrase("{about}：谁领先被说反了：{sides}。", "回到原始测试核对方向。"),
        "novelty": Phrase("{about}：一处当作新增，另一处已是存量：{sides}。", "在活文档与论文卡中查这个编号，决定它归在哪里。"),
        "rating-undermined": Phrase("{about}：评级的理由与自己的警示相抵：{sides}。", "按警示复核评级。"),
        "source-name": Phrase("{about}：同一份来源用了两个名字：{sides}。", "在收件箱里查实际的文件名，统一写法。"),
        "identifier-after-note": Phrase("{about}：它的日期晚于笔记日期 {date}：{sides}。", "核对编号与标题（arXiv）或文件名（收件箱）。"),
        "count": Phrase("{about}：宣布了 {announced}，实际数到 {counted}：{sides}。", "重新清点，改正数字或补上缺的条目。"),
        "register-taken": Phrase("{about}：同一个编号给了两条不同的候选：{sides}。", "其中一条改用下一个空号。"),
        "register-used": Phrase("{about}：这个编号活文档里已经有了：{sides}。", "改用下一个空号。"),
        "said-missing": Phrase("{about}：被说成缺失，但文件就在收件箱里：{sides}。", "以收件箱为准，撤回缺失的说法。"),
        "denied": Phrase("{about}：一处肯定，一处否定：{sides}。", "回到一手来源核对。"),
        "model": Phrase("{about}：两处说法不能同时成立：{sides}。", "回到一手来源核对。"),
    },
    "en": {
        "value": Phrase("{about}: other numbers for one metric under one condition: {sides}.", "Check the number and its conditions at the first source."),
        "value-conditions": Phrase(
            "{about}: the numbers differ, and nobody says whether the conditions do: {sides}.",
            "Complete the conditions of both (hardware, batch, precision, dataset, context length), then compare.",
        ),
        "figure-for-several": Phrase("{about}: one exact figure is given for several things: {sides}.", "Check the figure of each of them."),
        "unit": Phrase("{about}: one number with different units: {sides}.", "Check the unit at the first source."),
        "ratio": Phrase("{about}: the stated {stated} is not what its numbers give, about {expected}: {sides}.", "Check which of the numbers was copied wrongly."),
        "table-conditions": Phrase("{about}: the column says {header}, a cell says {cell}: {sides}.", "Split the column by condition, or measure under the same one."),
        "ranked-across": Phrase("{about}: compared, though each was measured under conditions of its own: {sides}.", "Measure them under the same conditions, or list them apart."),
        "which-version": Phrase("{about}: it is told of different versions: {sides}.", "Look at the project's changelog."),
        "two-identifiers": Phrase("{about}: one paper under two identifiers: {sides}.", "Check the title on arXiv."),
        "newest-version": Phrase("{about}: different newest versions: {sides}.", "Look at the project's release page."),
        "roles-swapped": Phrase("{about}: the two take each other's part: {sides}.", "Follow the first source, and correct the other place."),
        "order-swapped": Phrase("{about}: who is ahead is told both ways: {sides}.", "Check the direction in the original measurement."),
        "novelty": Phrase("{about}: new in one place, stock in another: {sides}.", "Look the identifier up in the living documents and cards, and decide where it belongs."),
        "rating-undermined": Phrase("{about}: the reason for the rating and the note's own caution do not go together: {sides}.", "Rate it again with the caution in mind."),
        "source-name": Phrase("{about}: one source under two names: {sides}.", "Look up the file's real name in the inbox."),
        "identifier-after-note": Phrase("{about}: it is dated after the note, {date}: {sides}.", "Check the identifier on arXiv, or the file's name in the inbox."),
        "count": Phrase("{about}: {announced} announced, {counted} counted: {sides}.", "Count again, then correct the number or add what is missing."),
        "register-taken": Phrase("{about}: one number for two different entries: {sides}.", "Give one of them the next free number."),
        "register-used": Phrase("{about}: the living document has this number already: {sides}.", "Take the next free number."),
        "said-missing": Phrase("{about}: said to be missing, but the file is in the inbox: {sides}.", "Believe the inbox, and take the remark back."),
        "denied": Phrase("{about}: one says so, the other denies it: {sides}.", "Check the first source."),
        "model": Phrase("{about}: the two cannot both stand: {sides}.", "Check the first source."),
    },
}  # fmt: skip
