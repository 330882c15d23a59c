"""Sorts the units of a segment by the label that rules them.

Nothing raises; time is linear in the text.
"""

from collections import defaultdict
from collections.abc import Iterable

from agent.reading.labels import labelled
from agent.texts import Unit

AFTER = "after"  # what stands without a label below the placement, which closes an increment


def by_label(units: Iterable[Unit]) -> defaultdict[str, list[Unit]]:
    """Sort units by the label that rules them ("" where none does); a unit that holds several labels stands under each.

    A label with text after it rules the rest of its line; one that stands alone, and that of the points always, rules all
    that follows, up to the next label. What stands without a label below the placement, which closes an increment, goes to
    "after".
    """
    parts = defaultdict[str, list[Unit]](list)
    ruling, line, unruled = "", None, ""
    for unit in units:
        if unit.kind == "heading":
            parts["heading"].append(unit)
            ruling, line = "", None
            continue
        labels = labelled(unit.text)
        if labels and unit.kind != "code":
            last = labels[-1]
            stands_alone = not unit.text[last.value_start :].strip()
            ruling, line = last.name, (None if stands_alone or last.name == "points" else unit.line)
            unruled = AFTER if last.name == "placement" else unruled
            for name in dict.fromkeys(label.name for label in labels):
                parts[name].append(unit)
            continue
        if line is not None and unit.line != line:
            ruling, line = unruled, None
        parts[ruling].append(unit)
    return parts
