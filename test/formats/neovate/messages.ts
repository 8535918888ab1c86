// Messages of Neovate Code as a test writes them.

export const uuid = (n: number) => `00000000-0000-4000-8000-${n.toString().padStart(12, "0")}`
const at = (n: number) => new Date(1_790_000_000_000 + n * 1000).toISOString()

/** Message `n`, behind `parent`; 0: it has none. */
export function line(n: number, parent: number, role: string, content: unknown, more: object = {}): object {
  const parentUuid = parent === 0 ? null : uuid(parent)
  return { parentUuid, uuid: uuid(n), role, content, type: "message", timestamp: at(n), sessionId: "65a89596", ...more }
}

export const text = (value: string) => [{ type: "text", text: value }]
export const result = (call: string, output: unknown) => ({
  type: "tool-result",
  toolCallId: call,
  toolName: "bash",
  result: { llmContent: output },
})
