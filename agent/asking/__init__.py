"""Everything between us and a model: prompts, budget, retries, the endpoint and the embedded server."""
