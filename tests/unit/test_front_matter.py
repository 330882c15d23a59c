"""Front matter is read as text, and what hides more than text in it is refused."""

import time

import pytest

from agent.reading.front_matter import DEEPEST, LONGEST, MOST_FIELDS, read_front_matter
from agent.reading.units import says_nothing

BOMB = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{name}: &{name} [{','.join([f'*{before}'] * 9)}]\n" for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)


@pytest.mark.parametrize(
    ("field", "name", "value"),
    [
        ("arxiv_id: 2606.19980", "arxiv_id", "2606.19980"),
        ("date: 2026-02-30", "date", "2026-02-30"),
        ("time: 12:30:00", "time", "12:30:00"),
        ("open: no", "open", "no"),
        ("mode: 0o17", "mode", "0o17"),
        ("serial: 007", "serial", "007"),
        ("nothing: ~", "nothing", "~"),
        ("tags: [a, 'b']", "tags", ["a", "b"]),
        ("tags:\n- a\n- 1.0", "tags", ["a", "1.0"]),
        ("paper:\n  id: 07", "paper.id", "07"),
        ("标题: 缓存", "标题", "缓存"),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_value_stays_as_written(field, name, value, end):
    text = f"---\n{field}\n---\nbody".replace("\n", end)
    front = read_front_matter(text)

    assert (value, "", "body") == (front.fields[name], front.problem, text[front.end :])


@pytest.mark.parametrize(
    ("inside", "problem"),
    [
        (BOMB, "it uses anchors or aliases"),
        ("a: &x 1\nb: 2", "it uses anchors or aliases"),
        ("a: *nowhere", "it uses anchors or aliases"),
        ("a: !!python/object/apply:os.system ['x']", "it uses tags"),
        ("a: !!binary aGk=", "it uses tags"),
        ("a:\n  <<: {b: 1}", "it uses merges"),
        ("- a\n- b", "it holds no fields"),
        ("{a: {b: {c: {d: {e: {f: {g: {h: {i: 1}}}}}}}}}", f"it is nested more than {DEEPEST} levels deep"),
        ("".join(f"{number}:\n" for number in range(2 * MOST_FIELDS)), f"it has more than {MOST_FIELDS:,} fields"),
        ("a: b\n" * (LONGEST // 5 + 1), f"it is longer than {LONGEST:,} characters"),
        ("a: " + "x" * 1_000_000, f"it is longer than {LONGEST:,} characters"),
    ],
    ids=lambda value: value[:24],
)
def test_what_is_more_than_fields_is_refused_at_once_and_stays_body_text(inside, problem):
    began = time.thread_time()
    front = read_front_matter(f"---\n{inside}\n---\nbody")

    assert ({}, 0, problem) == (front.fields, front.end, front.problem)
    assert time.thread_time() - began < 0.5


def test_front_matter_that_is_never_closed_is_body_text():
    front = read_front_matter("---\na: 1\n\nbody")

    assert ({}, 0, "it is never closed") == (front.fields, front.end, front.problem)


def test_of_a_field_that_stands_twice_the_first_counts_and_it_is_said():
    front = read_front_matter("---\nagent: ann\nagent: bob\n---\n")

    assert ({"agent": "ann"}, "'agent' stands twice") == (front.fields, front.problem)


@pytest.mark.parametrize(
    ("line", "value"),
    [("title: A: B", "A: B"), ("title: @x", "@x"), ('title: "open', "open"), ("title: a\nno field", "a")],
)
def test_fields_that_are_no_valid_yaml_are_read_line_by_line(line, value):
    front = read_front_matter(f"---\ndate: 2026-09-14\n{line}\n---\nbody")

    assert {"date": "2026-09-14", "title": value} == front.fields
    assert "its lines are read one by one" in front.problem
    assert front.end


@pytest.mark.parametrize(
    "inside",
    ["9" * 5_000 + ": 1", "a: " + "9" * 60_000, "a: " + "[" * 5_000, "a: \x01", 'a: "\\ud800"', "a:\tb", "? [a]\n: b", "%YAML 9.9", ": :"],
    ids=lambda value: repr(value)[:16],
)  # fmt: skip
def test_no_front_matter_raises(inside):
    front = read_front_matter(f"---\n{inside}\n---\nbody")

    assert all(isinstance(value, str | list) for value in front.fields.values())


@pytest.mark.parametrize("text", ["", "body", "---\n\nbody\n\n---\n", "--- \nSome words.\n---\n", "----\na: 1\n----\n"])
def test_text_between_rules_is_no_front_matter(text):
    front = read_front_matter(text)

    assert ({}, 0, "") == (front.fields, front.end, front.problem)


@pytest.mark.parametrize("text", ["", " \r\n\t", "\ufeff", "\u3000\u2028", "---\na: 1\n---\n", "---\na: 1\n---\n\n \n"])
def test_a_note_of_white_space_and_front_matter_says_nothing(text):
    assert says_nothing(text)


@pytest.mark.parametrize("text", ["x", "---\na: 1\n---\nx", "---\na: 1\n", "---\na: *b\n---\n"])
def test_any_other_note_says_something(text):
    assert not says_nothing(text)
