"""Words of the trade in Chinese and English, by which a text in one language is matched with one in the other.

Each term has one key whatever language it is written in. Only words with one plain meaning in this field stand here.
"""

import re

# Chinese words, then English ones; the first English word is the term's key.
_PAIRS = """
缓存 | cache caches caching cached
量化 | quantization quantized quantize
蒸馏 | distillation distill distilled
检查点 | checkpoint checkpoints checkpointing
调度 | scheduling scheduler schedule
推理 | inference reasoning
训练 | training train trained
微调 | finetuning fine-tuning finetune fine-tuned
智能体 | agent agents
记忆 | memory memories
内存 | ram memory
显存 | vram
检索 | retrieval retrieve
评测 评估 | evaluation eval evals
基准 | benchmark benchmarks baseline
延迟 时延 | latency
吞吐 | throughput
解码 | decoding decode
预填充 | prefill
投机 推测 | speculative speculation
草稿 | draft drafts
注意力 | attention
上下文 长文本 | context long-context
工具 | tool tools
调用 | call calls calling
沙箱 | sandbox sandboxes
注入 | injection
安全 | security safety
攻击 | attack attacks
重试 | retry retries
失败 | failure failures failed
成本 | cost costs
价格 报价 | price prices pricing
能耗 功耗 | energy power
许可证 | license licence licenses
发布 | release releases released
版本 | version versions
通信 | communication collective
并行 | parallel parallelism
专家 | expert experts moe
路由 | routing router
去重 查重 | deduplication dedup
数据 | data dataset datasets
污染 | contamination contaminated
泄漏 泄露 | leak leaks leakage
奖励 | reward rewards
强化学习 | reinforcement rl
优化器 | optimizer optimizers
学习率 | learning-rate
适配器 | adapter adapters lora
压缩 | compression compaction compress
摘要 | summary summaries summarization
交接 | handover hand-over handoff hand-off
前缀 | prefix prefixes
公平 | fairness fair
排队 队列 | queue queues queueing
存储 | storage
恢复 | recovery restore restores
故障 | fault faults outage
网络 | network ethernet
端侧 | on-device edge mobile
多模态 | multimodal
向量 | vector vectors embedding embeddings
索引 | index indexes
召回 | recall
精度 准确率 | accuracy precision
分词 | tokenizer tokenization
采样 | sampling
提示词 | prompt prompts
词元 | token tokens
规划 | planning
多智能体 | multi-agent
协议 | protocol protocols
监控 | monitoring observability
部署 | deployment deployments
服务 | serving service
扩容 弹性 | autoscaling scaling
编译 | compiler compile compilation
内核 算子 | kernel kernels operator
分离 | disaggregation disaggregated
偏好 | preference preferences
对齐 | alignment
幻觉 | hallucination hallucinations
裁判 | judge judges
代码 | code coding
翻译 | translation
语音 | speech audio
图像 | image images
视频 | video
离群 | outlier outliers
通道 | channel channels
"""


def _table() -> tuple[dict[str, str], dict[str, str]]:
    chinese: dict[str, str] = {}
    english: dict[str, str] = {}
    for line in _PAIRS.split("\n"):
        left, _, right = line.partition(" | ")
        for word in left.split():
            chinese[word] = right.split()[0]
        for word in right.split():
            english.setdefault(word, right.split()[0])
    return chinese, english


_CHINESE, _ENGLISH = _table()
_ANY_CHINESE = re.compile("|".join(sorted(_CHINESE, key=len, reverse=True)))
_LATIN = re.compile(r"[A-Za-z]+(?:-[A-Za-z]+)*")


def is_term(word: str) -> bool:
    """Return whether an English word is one of the terms, in either number."""
    return word.lower() in _ENGLISH or word.lower().removesuffix("s") in _ENGLISH


def terms_in(text: str) -> frozenset[str]:
    """Return the keys of the terms that stand in `text`, in either language."""
    found = {_CHINESE[match[0]] for match in _ANY_CHINESE.finditer(text)}
    return frozenset(found | {_ENGLISH[word] for word in map(str.lower, _LATIN.findall(text)) if word in _ENGLISH})
