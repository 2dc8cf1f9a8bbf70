"""Chat messages, as OpenAI and Anthropic write them."""
