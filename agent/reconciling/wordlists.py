"""Makes one pattern of lists of words, which is found quickly and says which list it found.

Promises: pure; a search takes linear time where the words do.
"""

import re
from collections.abc import Mapping


def any_of(named: Mapping[str, str]) -> str:
    """Return one pattern for several, each a group with a name; they begin with a plain character, and case tells nothing.

    It is looked for only where one of them may begin, Latin words at the beginning of a word: that keeps the search quick.
    """
    begins = {
        alternative.removeprefix("\\b").removeprefix("(?:")[0]
        for words in named.values()
        for alternative in words.split("|")
    }
    latin, others = (
        re.escape("".join(sorted(each)))
        for each in (filter(str.isascii, begins), begins - {*filter(str.isascii, begins)})
    )
    starts = [rf"(?<![A-Za-z])(?=[{latin}])"] * bool(latin) + [f"(?=[{others}])"] * bool(others)
    either = "|".join(f"(?P<{name}>{words})" for name, words in named.items())
    return f"(?i:(?:{'|'.join(starts)})(?:{either}))"
