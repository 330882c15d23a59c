"""Finds the blocks of a note: headings, paragraphs, tables, code, raw HTML, front matter, each as a run of lines.

Markdown decides where there is Markdown. What it gets wrong in notes is put right: listings and diagrams without a fence,
shell comments that look like headings, paragraphs above a rule, fences that are never closed, text between two rules.
Promises: blocks are in order, share no line, and every line that is not blank is in one; time is linear in the text.
"""

import gc
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from mdit_py_plugins.front_matter import front_matter_plugin

# What opens a line of shell, where arguments follow.
COMMANDS = (
    "python3?", "pip3?", "pipx", "uvx?", "conda", "docker(?:-compose)?", "podman", "kubectl", "helm", "git", "curl", "wget", "cd", "mkdir", "ls",
    "chmod", "ssh", "scp", "rsync", "npm", "npx", "pnpm", "yarn", "cmake", "cargo", "bash", "apt(?:-get)?", "brew", "vllm", "sglang",
    "torchrun", "deepspeed", "nvidia-smi", "nsys", "huggingface-cli", "ollama", "llama-[a-z]{2,16}", "lmdeploy", "trtllm-[a-z]{2,16}",
    "genai-perf", "grep", "sed", "awk", "systemctl", "nohup", "pytest", "nvcc", "gcc",
)  # fmt: skip
# The same, but words of a language too: only with a flag, a pipe or a path.
COMMAND_WORDS = (
    "export", "cat", "cp", "mv", "rm", "tar", "unzip", "node", "make", "go", "sh", "source", "yum", "accelerate", "ray", "hf", "agent", "poetry",
    "modelscope", "echo", "kill", "ps", "find", "head", "tail", "time", "watch", "touch", "service", "which", "env", "sleep", "ln", "df", "du",
)  # fmt: skip
_BLOCK_WORDS = (
    "def|class|if|elif|else|for|while|with|try|except|async|function|func|fn|struct|enum|switch|public|private|static"
)
_STATEMENT_WORDS = "import|return|const|let|var|print|await|raise|using|package|SELECT|INSERT|CREATE"

BULLETS = "•●▪◦‣∙■◆►➤"
CIRCLED = "①-⑳❶-❿⑴-⒇"
CJK = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff"
TERMINAL = ("。", ".", "；", ";", "，", ",", "、", "：", ":", "…", "！", "!", "|")
"""No heading ends like this."""

ITEM_MARK = re.compile(rf"\A[ \t>]{{0,40}}(?:[-*+][ \t]|[{BULLETS}{CIRCLED}]|\d{{1,9}}[.)][ \t]|\d\ufe0f?\u20e3)")

_LINE_END = re.compile(r"\r\n|\r|\n")
_FIELD = re.compile(r"\A(?:[ \t]|[\w .-]{1,60}:(?:[ \t]|\r?\n?\Z)|-[ \t]|[\]}])")
_VARIABLES = r"(?:[A-Za-z_][A-Za-z0-9_]{0,40}=\S{1,400} ){0,6}"
_SHELL = re.compile(rf"\A(?:\$ |sudo )?{_VARIABLES}(?:\.{{1,2}}/\S|~/\S|(?:{'|'.join(COMMANDS)}) \S)")
_ARGUMENT = re.compile(
    r" --?[A-Za-z0-9]|\S/\S|[=|\\]|&&|\.(?:py|sh|json|ya?ml|txt|toml)\b|\A\$ | (?:install|run|pull|clone|build|serve) "
)
_SHELL_WORD = re.compile(rf"\A(?:\$ |sudo )?{_VARIABLES}(?:{'|'.join(COMMAND_WORDS)}) \S")
_FLAG = re.compile(r" --?[A-Za-z0-9]| [|&>]{1,2} | [.~]{0,2}/\S|\\\Z|\bexport [A-Za-z_]{1,40}=|\A\$ ")
_PROSE = re.compile(rf"[。，；！？]|[{CJK}]{{12}}|[a-z]{{2}}[.,;] [A-Za-z]|(?: [A-Za-z]{{2,20}}){{7}}")
_CODE = re.compile(
    rf"\A(?:(?:{_BLOCK_WORDS})\b.{{0,300}}[:{{;(,]\Z|(?:{_STATEMENT_WORDS})\b.{{1,300}}\Z|from \S{{1,80}} import |#include|@\w{{1,60}}"
    r"|[\w.\[\]'\"]{1,80}[ ]?[-+*/|]?=[ ]?\S|[})\]]{1,8}[,;]?\Z|\"[^\"]{1,80}\":[ ]?\S)"
)
_DIAGRAM = re.compile("[│┃┌┐└┘├┤┬┴┼╔╗╚╝║╠╣╦╩╬═╭╮╯╰┏┓┗┛┣┫┳┻╋]|\\A(?:[─━]{2,400}|\\+[-=+]{3,400})\\Z")
_ARROWS = frozenset("↓↑⬇⬆▼▲│|\ufe0f \t")
_OPEN_HTML = {
    "<!--": "-->",
    "<script": "</script>",
    "<pre": "</pre>",
    "<style": "</style>",
    "<?": "?>",
    "<![cdata[": "]]>",
}

BlockKind = Literal["heading", "flow", "code", "html", "table", "rule", "front_matter"]
_LEAVES: dict[str, BlockKind] = {
    "heading_open": "heading",
    "paragraph_open": "flow",
    "code_block": "code",
    "fence": "code",
    "html_block": "html",
    "table_open": "table",
    "hr": "rule",
    "front_matter": "front_matter",
}


class _Leaves(StateBlock):
    """What Markdown's rules write their tokens to; of those that are no leaves, which nobody looks at, one serves for all."""

    def __init__(self, state: StateCore) -> None:
        super().__init__(state.src, state.md, state.env, state.tokens)
        self._branch = Token("", "", 0)

    def push(self, ttype: str, tag: str, nesting: Literal[-1, 0, 1]) -> Token:
        """Add a token in its place: rules count on their positions."""
        if ttype in _LEAVES:
            return super().push(ttype, tag, nesting)
        self.level += nesting
        self.tokens.append(self._branch)
        return self._branch


def _find_leaves(state: StateCore) -> None:
    leaves = _Leaves(state)
    state.md.block.tokenize(leaves, leaves.line, leaves.lineMax)


def _parser() -> MarkdownIt:
    """Markdown down to its blocks: inline parsing is never needed, and a link definition is text like any other."""
    parser = MarkdownIt("commonmark").enable("table").disable(["inline", "text_join", "reference"])
    parser.core.ruler.at("block", _find_leaves)
    return parser


_WITHIN = _parser()
_FROM_TOP = _parser().use(front_matter_plugin)


@dataclass(frozen=True, slots=True)
class Block:
    """Lines `first` to `last` (exclusive) of one kind; `is_free` when no list or quotation holds them."""

    kind: BlockKind
    first: int
    last: int
    is_free: bool = True


class Page:
    """A text and the offsets where its lines start; a line ends at LF, CRLF or a lone CR."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.starts = [0, *(match.end() for match in _LINE_END.finditer(text))]
        if self.starts[-1] < len(text):
            self.starts.append(len(text))

    def __len__(self) -> int:
        return len(self.starts) - 1

    def line(self, number: int) -> str:
        """Return line `number`, counted from 0, with its end."""
        return self.text[self.starts[number] : self.starts[number + 1]]

    def is_blank(self, number: int) -> bool:
        """Whether line `number` holds white space only."""
        return not self.line(number).strip()

    def span(self, first: int, last: int) -> tuple[int, int]:
        """Return the offsets of lines `first` to `last` (exclusive)."""
        return self.starts[first], self.starts[last]

    def number_at(self, offset: int) -> int:
        """Return the line, counted from 1, that holds `offset`."""
        return bisect_right(self.starts, offset)


def blocks_of(page: Page) -> list[Block]:
    """Return the blocks of a page in order."""
    return list(_with_listings(page, _filled(page, _parsed(page, 0, attempts=4))))


def _parsed(page: Page, first: int, *, attempts: int) -> list[Block]:
    """Let Markdown find the blocks from line `first` on; what would run away to the end stops at the next blank line."""
    if first >= len(page):
        return []
    if first == 0 and (end := _toml_end(page)):
        return [Block("front_matter", 0, end), *_parsed(page, end, attempts=attempts)]
    source = page.text[page.starts[first] :]
    if source.startswith("\ufeff"):
        source = " " + source[1:]  # else the first heading would be none
    blocks: list[Block] = []
    with _unswept():
        tokens = (_WITHIN if first else _FROM_TOP).parse(source)
    for token in tokens:
        if token.type not in _LEAVES or token.map is None:
            continue
        kind = _LEAVES[token.type]
        start, end, is_free = token.map[0] + first, min(token.map[1] + first, len(page)), token.level == 0
        if kind == "front_matter" and not _is_front_matter(page, start, end):
            return [Block("rule", start, start + 1), *_parsed(page, start + 1, attempts=attempts)]
        if attempts and is_free and end == len(page) and _runs_away(page, token, start, end):
            stop = next((number for number in range(start + 1, end) if page.is_blank(number)), end)
            return [*blocks, Block(kind, start, stop), *_parsed(page, stop, attempts=attempts - 1)]
        if kind == "heading" and not (is_free and _is_heading(page, token, start, end)):
            kind = "flow"
        if token.type == "code_block" and _is_indented_prose(page, start, end):
            kind = "flow"
        blocks.append(Block(kind, start, end, is_free))
    return blocks


@contextmanager
def _unswept() -> Iterator[None]:
    """Keep the garbage collector away: it would look again and again at tokens that are all still needed.

    Threads that overlap do no harm: whoever found it on turns it on again.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _toml_end(page: Page) -> int:
    """Return the line after front matter between two `+++`, or 0."""
    if page.line(0).strip() != "+++":
        return 0
    return next((number + 1 for number in range(1, len(page)) if page.line(number).strip() == "+++"), 0)


def _is_front_matter(page: Page, start: int, end: int) -> bool:
    """Tell fields between two `---` from text between two rules."""
    inside = [page.line(number) for number in range(start + 1, end - 1) if not page.is_blank(number)]
    said = [line for line in inside if not line.startswith("#")]
    return bool(said or not inside) and sum(_FIELD.match(line) is not None for line in said) * 10 >= 8 * len(said)


def _runs_away(page: Page, token: Token, start: int, end: int) -> bool:
    """Whether a fence, a comment or a raw tag is never closed."""
    if token.type == "fence":
        closing = page.line(end - 1).strip()
        return end - start == 1 or not closing.startswith(token.markup) or bool(closing.strip(token.markup[:1]))
    if token.type != "html_block":
        return False
    text = page.text[slice(*page.span(start, end))].lstrip().lower()
    return any(text.startswith(opening) and closing not in text for opening, closing in _OPEN_HTML.items())


def _is_heading(page: Page, token: Token, start: int, end: int) -> bool:
    """A paragraph directly above `---` is a heading only if it looks like one: often the line is meant as a rule."""
    if token.markup.startswith("#"):
        return True
    line = page.line(start).strip()
    return end - start == 2 and len(line) <= 80 and (token.markup == "=" or not line.endswith(TERMINAL))


def _is_indented_prose(page: Page, start: int, end: int) -> bool:
    lines = [page.line(number) for number in range(start, end)]
    return any(_PROSE.search(line) for line in lines) or all(ITEM_MARK.match(line) for line in lines if line.strip())


def _filled(page: Page, blocks: Iterable[Block]) -> list[Block]:
    """Give lines that Markdown makes nothing of (empty items, depths beyond its limit) to blocks of their own."""
    found: list[Block] = []
    line = 0
    for block in [*blocks, Block("rule", len(page), len(page))]:
        while line < block.first:
            first = line
            while line < block.first and not page.is_blank(line):
                line += 1
            if line > first:
                found.append(Block("flow", first, line))
            else:
                line += 1
        if block.last > line:
            found.append(block if block.first >= line else replace(block, first=line))
            line = block.last
    return found


# --- listings without a fence -----------------------------------------------------------------------------------------


def _with_listings(page: Page, blocks: Sequence[Block]) -> Iterator[Block]:
    """Turn listings and diagrams without a fence into code."""
    top = blocks[0].first if blocks else 0
    group: list[Block] = []
    for block in blocks:
        joins = block.is_free and (
            block.kind == "flow" or (block.kind == "heading" and page.line(block.first).startswith("# "))
        )
        if group and (not joins or block.first > group[-1].last):
            yield from _listed(page, group, top)
            group = []
        if joins:
            group.append(block)
        else:
            yield block
    yield from _listed(page, group, top)


def _listed(page: Page, group: Sequence[Block], top: int) -> Iterator[Block]:
    """Cut adjacent blocks into code and the rest; a heading at the top of the page is never a comment."""
    if not group:
        return
    first = group[0].first
    is_code = _code_lines([page.line(number).strip() for number in range(first, group[-1].last)])
    if first == top and group[0].kind == "heading":
        is_code[0] = False
    runs: list[Block] = []
    for block in group:
        number = block.first
        while number < block.last:
            start, flag = number, is_code[number - first]
            while number < block.last and is_code[number - first] == flag:
                number += 1
            if flag and runs and runs[-1].kind == "code":
                runs[-1] = replace(runs[-1], last=number)
            else:
                runs.append(Block("code" if flag else block.kind, start, number))
    yield from runs


def _code_lines(lines: Sequence[str]) -> list[bool]:
    """Say of each of some adjacent lines whether it belongs to a listing."""
    flags = _drawn(lines)
    signs = [bool(_CODE.match(line)) and not _PROSE.search(line) for line in lines]
    for number, line in enumerate(lines):
        continues = number > 0 and flags[number - 1] and lines[number - 1].endswith("\\")
        is_pair = signs[number] and any(signs[max(0, number - 1) : number] + signs[number + 1 : number + 2])
        flags[number] = flags[number] or continues or is_pair or _is_shell(line)
    for start, end in _json_runs(lines):
        flags[start:end] = [True] * (end - start)
    for number in range(len(lines) - 2, -1, -1):
        if flags[number + 1] and lines[number].startswith("# "):
            flags[number] = True
    return flags


def _drawn(lines: Sequence[str]) -> list[bool]:
    """Flag the lines of diagrams, with the line above that a drawing hangs from and the line that an arrow points to."""
    arrows = [bool(line) and _ARROWS.issuperset(line) and not set(line) <= {"|", " "} for line in lines]
    flags = [arrow or _DIAGRAM.search(line) is not None for arrow, line in zip(arrows, lines, strict=True)]
    drawn = [number for number, flag in enumerate(flags) if flag]
    if len(drawn) < 2 and not any(arrows):
        return [False] * len(lines)
    for one, other in pairwise(drawn):
        if other - one <= 3:
            flags[one:other] = [True] * (other - one)
    for number in drawn:
        above = lines[number - 1] if number and not flags[number - 1] else ""
        if above and len(above) <= 60 and not ITEM_MARK.match(above) and not above.endswith(TERMINAL):
            flags[number - 1] = True
        if arrows[number] and number + 1 < len(lines):
            flags[number + 1] = True
    return flags


def _json_runs(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the runs of lines that are a JSON object or array, from a lone opening bracket to the one that closes it."""
    start, depth, has_fields = -1, 0, False
    for number, line in enumerate(lines):
        if start < 0 and line in {"{", "["}:
            start, depth, has_fields = number, 0, False
        if start < 0:
            continue
        depth += line.count("{") + line.count("[") - line.count("}") - line.count("]")
        has_fields = has_fields or (line.startswith('"') and '":' in line)
        if depth <= 0:
            if has_fields:
                yield start, number + 1
            start = -1


def _is_shell(line: str) -> bool:
    is_command = (_SHELL.match(line) and _ARGUMENT.search(line)) or (_SHELL_WORD.match(line) and _FLAG.search(line))
    return bool(is_command) and not _PROSE.search(line)
