"""Settings: where each value comes from, and what is refused."""

import datetime as dt
import os
import re
import time
from decimal import Decimal
from pathlib import Path

import pytest

from agent.costs import Prices
from agent.errors import EngineUnavailable, SettingsError
from agent.setting_values import WEEKDAYS
from agent.settings import (
    MAX_FILE_BYTES,
    PLACEHOLDER_KEY,
    Baton,
    Settings,
    choose_engine,
    load_settings,
    variables_of,
)


@pytest.fixture
def workspace(tmp_path):
    folder = tmp_path / "workspace"
    folder.mkdir()
    return folder


@pytest.fixture
def user_file(tmp_path):
    path = tmp_path / "config" / "relay-digest" / "config.toml"
    path.parent.mkdir(parents=True)
    return path


@pytest.fixture
def load(workspace, tmp_path):
    """Load with the workspace, a home of the test's own and nothing else set."""

    def load(toml="", *, flags=None, **environ):
        if toml:
            (workspace / "agent.toml").write_text(toml, encoding="utf-8")
        base = {"HOME": str(tmp_path / "home"), "XDG_CONFIG_HOME": str(tmp_path / "config")}
        return load_settings(workspace, flags=flags or {}, environ={**base, **environ})

    return load


def test_without_anything_set_the_defaults_hold(load, tmp_path):
    settings = load()

    assert settings == Settings(
        cache_dir=tmp_path / "home/.cache/relay-digest", user_state=tmp_path / "home/.local/state/relay-digest"
    )
    assert set(settings.origins.values()) == {"default"}
    assert {"days", "api_key", "cache_dir"} < set(settings.origins)


def test_a_flag_beats_a_variable_beats_the_workspace_beats_the_user_file(load, user_file):
    user_file.write_text('days = 6\nstale_days = 6\nworkers = 6\nlanguage = "en"\n')
    toml = "# ours\ndays = 5\nstale_days = 5\nworkers = 5\n"

    settings = load(toml, flags={"days": 3, "workers": None}, AGENT_DAYS="4", AGENT_STALE_DAYS="4")

    assert (3, 4, 5, "en") == (settings.days, settings.stale_days, settings.workers, settings.language)
    assert "--days" == settings.origins["days"]
    assert "AGENT_STALE_DAYS" == settings.origins["stale_days"]
    assert settings.origins["workers"].endswith("agent.toml' line 4")
    assert settings.origins["language"].endswith("config.toml' line 4")


def test_the_remote_endpoint_is_set_by_the_variables_that_everybody_uses(load):
    settings = load(OPENAI_API_KEY=" sk-1 ", OPENAI_BASE_URL="http://127.0.0.1:8000/v1/", OPENAI_MODEL="m")

    assert "sk-1" == settings.api_key.get_secret_value()
    assert ("http://127.0.0.1:8000/v1", "m") == (settings.base_url, settings.model)
    assert "ours" == load(OPENAI_MODEL="m", AGENT_MODEL="ours").model


def test_an_empty_variable_counts_as_not_set(load):
    assert load(OPENAI_API_KEY="", AGENT_DAYS=" ").api_key is None


def test_without_an_argument_the_environment_of_the_process_is_read(monkeypatch, workspace):
    monkeypatch.setenv("AGENT_DAYS", "9")

    assert 9 == load_settings(workspace, flags={}).days
    assert 9 == load_settings(None, flags={}).days


def test_everything_a_workspace_may_set_is_read(load):
    settings = load(
        'own_agent = "desk"\nagents = ["jay", "tom", "jay"]\ntopics = ["llm-infra"]\ntimezone = "Europe/Berlin"\n'
        'language = "en"\ndays = 1\nstale_days = 9\nbudget_tokens = 100_000\nmodel = "m"\nworkers = 2\n'
        '[[batons]]\nagent = "jay"\ntopic = "llm-infra"\nslot = "18:30"\ndays = "fri-mon,wed"\n'
        '[[batons]]\nagent = "tom"\nslot = 07:00:00\ndays = ["sat", "thu"]\n[[batons]]\nagent = "tom"\n'
    )

    assert ("desk", ("jay", "tom"), ("llm-infra",)) == (settings.own_agent, settings.agents, settings.topics)
    assert (
        settings.days,
        settings.stale_days,
        settings.budget_tokens,
        settings.model,
        settings.workers,
    ) == (1, 9, 100_000, "m", 2)
    assert "Europe/Berlin" == settings.zone.key
    assert (
        Baton("jay", "llm-infra", dt.time(18, 30), ("mon", "wed", "fri", "sat", "sun")),
        Baton("tom", None, dt.time(7), ("thu", "sat")),
        Baton("tom", None, None, WEEKDAYS),
    ) == settings.batons


def test_a_topic_with_a_limit_of_its_own_may_go_by_any_word(load):
    """No setting may be called so, and a topic steers nothing."""
    settings = load("late_minutes = 5\n[stale_days_by_topic]\nweb-hosts = 9\nsecret-paths = 4")

    assert (5, {"web-hosts": 9, "secret-paths": 4}) == (settings.late_minutes, settings.stale_days_by_topic)
    assert settings.origins["stale_days_by_topic"].endswith("line 2")


def test_the_user_file_may_hold_key_endpoint_and_paths(load, user_file, tmp_path):
    user_file.write_text(
        'engine = "remote"\nbase_url = "https://example.org/v1"\napi_key = "sk-user"\nlocal_threads = 2\n'
        'local_model = "~/m.gguf"\ncache_dir = "/var/cache/x"\nstate = "state"\ndeadline_seconds = 60\n'
    )
    user_file.chmod(0o644)

    settings = load()

    assert "sk-user" == settings.api_key.get_secret_value()
    assert (
        settings.engine,
        settings.base_url,
        settings.local_threads,
        settings.deadline_seconds,
    ) == ("remote", "https://example.org/v1", 2, 60.0)
    assert tmp_path / "home/m.gguf" == settings.local_model
    assert (Path("/var/cache/x"), user_file.parent / "state") == (settings.cache_dir, settings.state)
    assert "chmod 600" in settings.remarks[0]
    user_file.chmod(0o600)
    assert () == load().remarks


def test_the_key_is_masked_wherever_settings_are_shown(load):
    settings = load(OPENAI_API_KEY="sk-canary")

    assert "sk-canary" not in f"{settings!r}{settings}{settings.origins}{settings.api_key}{settings.remote_key!r}"


@pytest.mark.parametrize(
    "line",
    [
        'base_url = "http://evil.example/v1"',
        'api_key = "sk-planted"',
        'OPENAI-BASE-URL = "http://evil.example/v1"',
        'on_done_command = "rm"',
        'hooks = ["rm"]',
        'engine = "remote"',
        'local_model = "/tmp/x.gguf"',
        'state = "/tmp"',
        'cache_dir = "/tmp"',
        'prompts_path = "/tmp"',
        'x = 1\n[openai]\nbase_url = "http://evil.example/v1"',
        'x = [{y = {proxy = "http://evil.example"}}]',
    ],
)
def test_a_workspace_never_steers_endpoint_key_command_or_path(load, line):
    with pytest.raises(SettingsError, match=r"agent.toml' line [1-5].*must never choose") as caught:
        load("days = 1\n\n" + line + "\n")

    assert "evil" not in str(caught.value)
    assert "sk-planted" not in str(caught.value)


@pytest.mark.parametrize(
    ("toml", "message"),
    [
        ("\ndayz = 1", r"line 2: 'dayz' is no setting; perhaps 'days' is meant"),
        ('days = "two"', "line 1: 'days' should be a valid integer, not 'two'"),
        ("days = true", "line 1: 'days' should be a valid integer"),
        ("days = 0", "line 1: 'days' should be greater than or equal to 1"),
        ("budget_tokens = 99999999999999999999999999", "line 1: 'budget_tokens' should be less"),
        (f"budget_tokens = 0x{'f' * 3900}", "line 1: 'budget_tokens'"),
        (f"budget_tokens = {'9' * 3900}", "'budget_tokens' should"),
        ('timezone = "Mars/Base"', "line 1: 'timezone': 'Mars/Base' is no known time zone"),
        ('timezone = "../../etc/passwd"', "is no known time zone"),
        ('language = "fr"', "line 1: 'language' should be 'zh' or 'en', not 'fr'"),
        ('own_agent = "../up"', "line 1: 'own_agent': '../up' is no name for a folder"),
        ('agents = ["a/b"]', "line 1: 'agents': 'a/b' holds a character"),
        ('agents = ["\\u202e"]', r"'agents': '\\u202e' holds a character"),
        ('model = "a\\nb"', "'model': must be plain text on one line"),
        ("days = 1\ndays = 2", "no valid TOML: .*at (line 2|end of document)"),
        ("days = [", "no valid TOML: .*at"),
        ("days = " + "[" * 3000, "no valid TOML"),
        ("a" + ".a" * 1900 + " = 1", "line 1: 'a' is no setting"),
        ("\na" + ".a" * 2000 + " = 1", "line 2 is longer than 4,000 bytes"),
        (
            '[[batons]]\nagent = "a"\n[[batons]] # two\nagent = "b"\nslot = "25:00"',
            "line 5: 'slot': '25:00' is no time",
        ),
        ('[[batons]]\nagent = "a"\nslot = "18:30+02:00"', "line 3: 'slot': must have no zone"),
        ('[[batons]]\nagent = "a"\ndays = "mon-fri-sun"', "line 3: 'days': 'mon-fri-sun' is no weekday"),
        ('[[batons]]\nagent = "a"\ndays = [1]', "line 3: 'days': must be weekdays"),
        ('[[batons]]\nagent = "a"\ntopik = "x"', r"line 3: 'topik' is no setting; perhaps 'topic' is meant"),
        ('days = 1\n[[batons]]\ntopic = "x"', "line 2: 'agent' is missing"),
        (
            '[[batons]]\nagent = "a"\n[[batons]]\nagent = "b"\n[[batons]]\nagent = "a"\ndays = "sun"',
            r"line 6: baton 3 repeats baton 1 \(agent 'a', topic None, sun\)",
        ),
        ("\nlate_minutes = 1440", "line 2: 'late_minutes' should be less than or equal to 1439"),
        ("late_minutes = -1", "line 1: 'late_minutes' should be greater than or equal to 0"),
        ("stale_days_by_topic = 3", "line 1: 'stale_days_by_topic' should be a valid dictionary"),
        ("[stale_days_by_topic]\nrag = 0", "line 2: 'rag' should be greater than or equal to 1"),
        ('[stale_days_by_topic]\nrag = "9"', "line 2: 'rag' should be a valid integer"),
        ('[stale_days_by_topic]\n"a/b" = 9', "'a/b': 'a/b' holds a character that no folder name should"),
        ("#" + "x" * MAX_FILE_BYTES, "larger than 256,000 bytes"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_broken_workspace_file_is_named_with_key_and_line(load, toml, message):
    with pytest.raises(SettingsError, match=message) as caught:
        load(toml)

    assert "agent.toml'" in str(caught.value)
    assert "\n" not in str(caught.value)
    assert 2 == caught.value.exit_status


def test_a_file_that_is_not_utf_8_is_named_with_its_line(load, workspace):
    (workspace / "agent.toml").write_bytes(b"# ok\nagents = ['\xff']\n")

    with pytest.raises(SettingsError, match=r"agent.toml' line 2 is not UTF-8"):
        load()


def test_a_byte_order_mark_is_no_part_of_the_settings(load, workspace):
    (workspace / "agent.toml").write_bytes(b"\xef\xbb\xbfdays = 4\r\n")

    assert 4 == load().days


def test_a_link_a_fifo_and_a_folder_in_place_of_the_file_are_refused(load, workspace, tmp_path):
    path = workspace / "agent.toml"
    path.symlink_to(tmp_path / "elsewhere.toml")
    with pytest.raises(SettingsError, match="is a link"):
        load()
    path.unlink()
    os.mkfifo(path)
    with pytest.raises(SettingsError, match="no regular file"):
        load()
    path.unlink()
    path.mkdir()
    with pytest.raises(SettingsError, match="no regular file"):
        load()


def test_settings_of_many_lines_are_read_in_no_time(load):
    toml = "\n".join(f'[[batons]]\nagent = "a{number}"' for number in range(5_000))
    started = time.perf_counter()

    assert 5_000 == len(load(toml).batons)
    assert time.perf_counter() - started < 2


@pytest.mark.parametrize(
    ("environ", "message"),
    [
        ({"AGENT_DAYS": "x"}, "^AGENT_DAYS: 'days' should be a valid integer.*, not 'x'.$"),
        ({"AGENT_ENGINE": "gpt"}, "^AGENT_ENGINE: 'engine' should be 'remote', 'local' or 'none', not 'gpt'.$"),
        ({"AGENT_DEADLINE_SECONDS": "nan"}, "^AGENT_DEADLINE_SECONDS: "),
        ({"OPENAI_API_KEY": "sk-1\nHost: evil"}, "^OPENAI_API_KEY: 'api_key': holds a character that no key has"),
        ({"OPENAI_BASE_URL": "example.org/v1"}, "^OPENAI_BASE_URL: 'base_url': must be an address"),
        ({"OPENAI_BASE_URL": "http://[::1/v1"}, "^OPENAI_BASE_URL: 'base_url': must be an address"),
        ({"OPENAI_BASE_URL": "ftp://host/v1"}, "must be an address"),
        ({"OPENAI_BASE_URL": "http://ho\tst/v1"}, "must be an address"),
        ({"OPENAI_BASE_URL": "https://user:pw@host/v1"}, "must hold no user"),
        ({"OPENAI_BASE_URL": "https://host/v1?key=canary"}, "must hold no user, query"),
    ],
    ids=str,
)
def test_a_wrong_variable_is_named_and_a_secret_in_it_is_not_shown(load, environ, message):
    with pytest.raises(SettingsError, match=message) as caught:
        load(**environ)

    assert not {"evil", "pw@", "canary"} & set(str(caught.value).split())
    assert "canary" not in str(caught.value)


def test_a_wrong_flag_is_named(load):
    with pytest.raises(SettingsError, match=r"^--days: 'days' should be greater"):
        load(flags={"days": -1})
    with pytest.raises(SettingsError, match=r"^--base-urll: 'base_urll' is no setting"):
        load(flags={"base_urll": "x"})


def test_xdg_folders_count_when_they_are_absolute(load):
    settings = load(XDG_CACHE_HOME="/c", XDG_STATE_HOME="relative")

    assert Path("/c/relay-digest") == settings.cache_dir
    assert settings.user_state.is_absolute()
    assert "home" in settings.user_state.parts


def test_a_value_is_set_by_the_variables_that_the_documentation_can_list():
    assert ("AGENT_MODEL", "OPENAI_MODEL") == variables_of("model")
    assert ("AGENT_LOCAL_MODEL",) == variables_of("local_model")


@pytest.mark.parametrize(
    ("environ", "has_local", "engine", "reason"),
    [
        ({"OPENAI_API_KEY": "k"}, True, "remote", "a key is set by OPENAI_API_KEY"),
        ({}, True, "local", "no key is set and the local engine is installed"),
        ({}, False, "none", "the local engine is not installed"),
        ({"OPENAI_BASE_URL": "http://h/v1"}, False, "none", "--engine remote"),
        ({"OPENAI_API_KEY": "k", "AGENT_ENGINE": "none"}, True, "none", "asked for by AGENT_ENGINE"),
        ({"OPENAI_API_KEY": "k", "AGENT_ENGINE": "local"}, True, "local", "asked for by AGENT_ENGINE"),
        ({"OPENAI_API_KEY": "k", "AGENT_ENGINE": "remote"}, True, "remote", "asked for by AGENT_ENGINE"),
        ({"OPENAI_BASE_URL": "http://h/v1", "AGENT_ENGINE": "remote"}, True, "remote", "placeholder"),
    ],
    ids=str,
)
def test_the_engine_is_chosen_and_the_reason_given(load, environ, has_local, engine, reason):
    choice = choose_engine(load(**environ), has_local=has_local)

    assert engine == choice.engine
    assert reason in choice.reason


def test_an_endpoint_that_asks_for_no_key_is_sent_a_placeholder(load):
    assert PLACEHOLDER_KEY == load(OPENAI_BASE_URL="http://h/v1").remote_key.get_secret_value()


@pytest.mark.parametrize(("engine", "next_step"), [("remote", "OPENAI_API_KEY"), ("local", "pip install")])
def test_an_engine_asked_for_in_vain_is_refused_with_the_next_step(load, engine, next_step):
    with pytest.raises(EngineUnavailable, match=next_step):
        choose_engine(load(AGENT_ENGINE=engine), has_local=False)


# Prices.


def test_prices_come_from_tables_and_variables_each_with_its_origin(load, user_file, workspace):
    user_file.write_text("[prices]\noutput = 2\ncached = 0.025\n", encoding="utf-8")

    settings = load("days = 1\n[prices]\ninput = 0.25\noutput = 3\n", AGENT_CURRENCY="CNY")

    assert Prices(Decimal("0.25"), Decimal("0.025"), Decimal(3), "CNY") == settings.prices
    assert f"{str(workspace / 'agent.toml')!r} line 3" == settings.origins["price_input"]
    assert f"{str(user_file)!r} line 3" == settings.origins["price_cached"]
    assert "AGENT_CURRENCY" == settings.origins["currency"]


def test_cached_tokens_cost_what_all_others_do_where_nothing_else_is_said(load):
    settings = load(AGENT_PRICE_INPUT="0.25", AGENT_PRICE_OUTPUT="2")

    assert Prices(Decimal("0.25"), Decimal("0.25"), Decimal(2), "USD") == settings.prices


def test_half_a_price_states_no_money_and_says_so(load):
    settings = load("[prices]\ninput = 0.25\n")

    assert settings.prices is None
    assert ("No money is stated: price_input is set, and price_output is not.",) == settings.remarks


@pytest.mark.parametrize(
    ("said", "toml"),
    [
        ("line 2: 'outptu' is no setting; perhaps 'output' is meant", "[prices]\noutptu = 2\n"),
        ("line 2: 'output' should be greater than or equal to 0", "[prices]\noutput = -2\n"),
        ("line 1: 'output': must be a number like 0.25", 'prices = { output = "much" }\n'),
    ],
)
def test_a_wrong_price_is_named_with_its_line(load, said, toml):
    with pytest.raises(SettingsError, match=re.escape(said)):
        load(toml)
