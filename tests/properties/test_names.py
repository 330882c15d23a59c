"""Any file name can be read, and what is written into a name is read from it."""

import datetime as dt

from hypothesis import given
from hypothesis import strategies as st

from agent.reading.names import card_identifier, is_leftover, parse_note_name

SLUGS = st.from_regex(r"[a-z]{1,8}(-[a-z]{1,8}){0,3}", fullmatch=True).filter(lambda slug: not slug.startswith("t"))


@given(st.text(st.characters(exclude_categories=()), max_size=80))
def test_any_file_name_can_be_read(name):
    parse_note_name(name)
    is_leftover(name)
    identifier = card_identifier(name)

    assert identifier is None or identifier.replace(".", "") in name.replace("-", "").replace("_", "")


@given(st.dates(dt.date(1970, 1, 1), dt.date(2199, 12, 31)), st.times(), SLUGS, st.integers(0, 999))
def test_date_time_slug_and_version_are_read_as_written(date, time, slug, version):
    read = parse_note_name(f"{date.isoformat()}-{time:%H%M}-{slug}-v{version}.md")

    assert (date, time.replace(second=0, microsecond=0), slug, version) == (
        read.date,
        read.time,
        read.slug,
        read.version,
    )
