"""Language models behind endpoints that speak the chat protocol of OpenAI."""
