"""The database's tables, as numbered steps, and the SQL that fills and reads them: what SQLite and PostgreSQL both know."""

# Numbered and append-only: what a database has had applied is never edited here. The SQL is what both databases know.
STEPS: tuple[tuple[int, str, str], ...] = (
    (
        1,
        "replies",
        """
        CREATE TABLE replies (
            "key" TEXT NOT NULL PRIMARY KEY,
            prompt TEXT NOT NULL,
            model TEXT NOT NULL,
            endpoint TEXT NOT NULL,
            reply_json TEXT NOT NULL,
            calls BIGINT NOT NULL,
            prompt_tokens BIGINT NOT NULL,
            completion_tokens BIGINT NOT NULL,
            is_estimated INTEGER NOT NULL,
            created_at TEXT NOT NULL
        )
        """,
    ),
    (2, "cached tokens", "ALTER TABLE replies ADD COLUMN cached_tokens BIGINT NOT NULL DEFAULT 0"),
    (3, "counted tokens", "ALTER TABLE replies ADD COLUMN counted_tokens BIGINT NOT NULL DEFAULT 0"),
    (
        4,
        "past digests",
        """
        CREATE TABLE past_digests (
            workspace TEXT NOT NULL,
            day TEXT NOT NULL,
            topic TEXT NOT NULL,
            content TEXT NOT NULL,
            put_at TEXT NOT NULL,
            PRIMARY KEY (workspace, day, topic)
        )
        """,
    ),
    (
        5,
        "relay turns",
        """
        CREATE TABLE relay_turns (
            workspace TEXT NOT NULL,
            agent TEXT NOT NULL,
            topic TEXT NOT NULL,
            day TEXT NOT NULL,
            slot TEXT NOT NULL,
            state TEXT NOT NULL,
            at TEXT NOT NULL,
            detail TEXT NOT NULL,
            PRIMARY KEY (workspace, agent, topic, day, slot)
        )
        """,
    ),
    (
        6,
        "coverages",
        """
        CREATE TABLE coverages (
            workspace TEXT NOT NULL,
            agent TEXT NOT NULL,
            day TEXT NOT NULL,
            content TEXT NOT NULL,
            at TEXT NOT NULL,
            PRIMARY KEY (workspace, agent, day)
        )
        """,
    ),
    (
        7,
        "relay plans",
        """
        CREATE TABLE relay_plans (
            workspace TEXT NOT NULL,
            agent TEXT NOT NULL,
            plan TEXT NOT NULL,
            since TEXT NOT NULL,
            PRIMARY KEY (workspace, agent)
        )
        """,
    ),
)
COSTS_SINCE, DIGESTS_SINCE, TURNS_SINCE, PLANS_SINCE = 3, 4, 6, 7  # the steps without which there are none
STEPS_TABLE = "CREATE TABLE IF NOT EXISTS schema_steps (number INTEGER NOT NULL PRIMARY KEY, name TEXT NOT NULL, applied_at TEXT NOT NULL)"
GET = """
    SELECT prompt, model, endpoint, reply_json, calls, prompt_tokens, cached_tokens, completion_tokens, is_estimated,
           counted_tokens
    FROM replies WHERE "key" = :key
"""
GET_OLD = GET.replace("cached_tokens,", "0 AS cached_tokens,").replace("counted_tokens", "0 AS counted_tokens")
COSTS = """
    SELECT prompt, count(*), avg(calls), avg(prompt_tokens), avg(cached_tokens), avg(completion_tokens),
           avg(counted_tokens)
    FROM replies
    WHERE endpoint = :endpoint AND (model = :model OR substr(model, 1, :reach) = :dated) AND counted_tokens > 0
    GROUP BY prompt
"""
PUT = """
    INSERT INTO replies ("key", prompt, model, endpoint, reply_json, calls, prompt_tokens, cached_tokens,
                         completion_tokens, is_estimated, counted_tokens, created_at)
    VALUES (:key, :prompt, :model, :endpoint, :reply_json, :calls, :prompt_tokens, :cached_tokens,
            :completion_tokens, :is_estimated, :counted_tokens, :created_at)
    ON CONFLICT ("key") DO UPDATE SET
        prompt = excluded.prompt, model = excluded.model, endpoint = excluded.endpoint,
        reply_json = excluded.reply_json, calls = excluded.calls, prompt_tokens = excluded.prompt_tokens,
        cached_tokens = excluded.cached_tokens, completion_tokens = excluded.completion_tokens,
        is_estimated = excluded.is_estimated, counted_tokens = excluded.counted_tokens, created_at = excluded.created_at
"""
PUT_DIGEST = """
    INSERT INTO past_digests (workspace, day, topic, content, put_at)
    VALUES (:workspace, :day, :topic, :content, :put_at)
    ON CONFLICT (workspace, day, topic) DO UPDATE SET content = excluded.content, put_at = excluded.put_at
"""
FORGET_DIGESTS = """
    DELETE FROM past_digests
    WHERE workspace = :workspace AND put_at < (
        SELECT min(put_at) FROM (
            SELECT put_at FROM past_digests WHERE workspace = :workspace ORDER BY put_at DESC LIMIT :kept
        ) AS latest
    )
"""
DIGESTS_BEFORE = """
    SELECT day, topic FROM past_digests
    WHERE workspace = :workspace AND day >= :first AND day < :day
    ORDER BY day DESC, topic
"""
GET_DIGEST = "SELECT content FROM past_digests WHERE workspace = :workspace AND day = :day AND topic = :topic"
TURNS = """
    SELECT topic, day, slot, state, at, detail FROM relay_turns
    WHERE workspace = :workspace AND agent = :agent
    ORDER BY day, slot, topic
"""
PUT_TURN = """
    INSERT INTO relay_turns (workspace, agent, topic, day, slot, state, at, detail)
    VALUES (:workspace, :agent, :topic, :day, :slot, :state, :at, :detail)
    ON CONFLICT (workspace, agent, topic, day, slot) DO UPDATE SET
        state = excluded.state, at = excluded.at, detail = excluded.detail
    WHERE relay_turns.state NOT IN ('done', 'caught_up')
"""
PUT_COVERAGE = """
    INSERT INTO coverages (workspace, agent, day, content, at)
    VALUES (:workspace, :agent, :day, :content, :at)
    ON CONFLICT (workspace, agent, day) DO UPDATE SET content = excluded.content, at = excluded.at
"""
COVERAGE = "SELECT content FROM coverages WHERE workspace = :workspace AND agent = :agent AND day = :day"
PLAN = "SELECT plan, since FROM relay_plans WHERE workspace = :workspace AND agent = :agent"
PUT_PLAN = """
    INSERT INTO relay_plans (workspace, agent, plan, since)
    VALUES (:workspace, :agent, :plan, :since)
    ON CONFLICT (workspace, agent) DO UPDATE SET plan = excluded.plan, since = excluded.since
"""
