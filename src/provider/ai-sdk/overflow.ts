// Whether a refusal means that the request is longer than the model's window.

/** The vendors' wordings. A status alone is not enough: 400 and 429 mean many things. */
const OVERFLOW = [
  /prompt is too long/i, // Anthropic
  /input length and `?max_tokens`? exceed context limit/i, // Anthropic
  /request exceeds the maximum size|request_too_large/i, // Anthropic, 413
  /maximum context length/i, // OpenAI, OpenRouter, vLLM, DeepSeek
  /context_length_exceeded/i, // OpenAI's code
  /exceeds the (?:model's )?context window/i, // OpenAI Responses
  /input token count.*exceeds the maximum number of tokens/is, // Gemini
  /exceeded model token limit/i, // Moonshot
  /exceeds? the available context size|exceed_context_size/i, // llama.cpp
  /exceeded max context length|prompt too long/i, // Ollama
  /greater than the context length|context the overflows|context overflow/i, // LM Studio
  /maximum prompt length is \d+/i, // xAI
  /input is too long for requested model/i, // Bedrock behind a gateway
  /reduce the length of the messages/i, // Groq, and OpenAI's older wording
]

/** A rate limit where waiting does not help: this one request exceeds what is allowed per minute. */
const LARGER_THAN_LIMIT = /request too large for .* on tokens per min/is

export function saysOverflow(status: number | undefined, text: string): boolean {
  if (status === 401 || status === 403) return false
  if (status === 429) return LARGER_THAN_LIMIT.test(text)
  return OVERFLOW.some((pattern) => pattern.test(text))
}
