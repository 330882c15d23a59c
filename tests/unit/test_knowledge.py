"""What the workspace holds, indexed: topics, stock, sections to search."""

from agent.extracting.knowledge import Knowledge
from tests.noting import knowing

INFERENCE = "inference.md\n# inference\n\n## 4 KV\n\n### 4.1 分层\n\nRingKV 把 KV 放进主机内存，arXiv:2607.00001v2。\n"
AGENTS = "agents.md\n# agents\n\n## 2 记忆\n\n摘要文件会丢事实。\n"


def test_topics_are_the_stems_of_the_documents():
    assert ("inference", "agents") == knowing(INFERENCE, AGENTS).topics


def test_stock_is_what_documents_mention_and_cards_hold_without_versions():
    assert {"2607.00001", "2608.90417"} == knowing(INFERENCE, cards=["2608.90417"]).stock


def test_cards_are_kept_apart_from_what_documents_mention():
    assert {"2608.90417"} == knowing(INFERENCE, cards=["2608.90417"]).cards


def test_sections_of_all_documents_can_be_searched():
    found = knowing(INFERENCE, AGENTS).index.search("RingKV 主机内存", limit=3)

    assert [("inference.md", "4.1")] == [(one.document.name, one.section.number) for one in found]


def test_an_empty_workspace_knows_nothing():
    nothing = Knowledge()

    assert ((), frozenset(), ()) == (nothing.topics, nothing.stock, nothing.index.search("RingKV", limit=3))
