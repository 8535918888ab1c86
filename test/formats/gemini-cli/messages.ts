// Lines of Gemini CLI as a test writes them.

export const SESSION = "3e91d15a-6798-4c0a-845e-cc8e1befb829"
export const HEADER = { sessionId: SESSION, projectHash: "0", startTime: "2026-11-15T21:00:04.093Z", kind: "main" }
export const uuid = (n: number) => `00000000-0000-4000-8000-${n.toString().padStart(12, "0")}`
export const at = (n: number) => new Date(1_790_000_000_000 + n * 1000).toISOString()

export const user = (n: number, text: string, more: object = {}) => ({
  id: uuid(n),
  timestamp: at(n),
  type: "user",
  content: [{ text }],
  ...more,
})
export const gemini = (n: number, text: string, more: object = {}) => ({
  id: uuid(n),
  timestamp: at(n),
  type: "gemini",
  content: text,
  ...more,
})
export const list = (...messages: object[]) => ({ $set: { messages, lastUpdated: at(99) } })
export const CONTEXT = {
  id: "d04923d38bb0f6017037e74183378ef4",
  timestamp: at(0),
  type: "user",
  content: [{ text: "<session_context>\nfolders" }],
}

export const TALK = [user(1, "one"), gemini(2, "first"), user(3, "two"), gemini(4, "second")]
