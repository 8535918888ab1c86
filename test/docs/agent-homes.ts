// A home in which other agents have worked, for the pages that show their sessions: Claude Code and pi, in ~/shop.
import { mkdirSync, utimesSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"

const CLAUDE = "5d2f6a3e-0c41-4c58-9a57-21f0b6c0ffee"
const PI = "019a8f10-7c2b-7d11-a5e4-9b8f5ec0ffe1"
const MINUTE = 60_000

/** Claude Code two hours ago, pi yesterday. */
export function writeAgentHomes(home: string, now: number): void {
  const shop = join(home, "shop")
  mkdirSync(shop, { recursive: true })
  const claude = join(home, ".claude", "projects", shop.replaceAll(/[^A-Za-z0-9]/g, "-"), `${CLAUDE}.jsonl`)
  write(claude, claudeLines(shop, now - 120 * MINUTE), now - 120 * MINUTE)
  const pi = join(home, ".pi", "agent", "sessions", "--shop--", `2026-01-01T00-00-00-000Z_${PI}.jsonl`)
  write(pi, piLines(shop, now - 26 * 60 * MINUTE), now - 26 * 60 * MINUTE)
}

function write(file: string, lines: readonly object[], at: number): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""))
  utimesSync(file, new Date(at), new Date(at))
}

const ASKED = "Why does the cart lose items?"
const ANSWERED = "Two requests write the cart at once: a race condition. I would lock it in cart.ts."

function claudeLines(cwd: string, at: number): object[] {
  const base = { isSidechain: false, userType: "external", cwd, sessionId: CLAUDE, version: "2.1.119" }
  const timestamp = new Date(at).toISOString()
  const [first, second] = ["3b9c0d52-8f0e-4a86-bf0e-6a3f1d8a1b01", "3b9c0d52-8f0e-4a86-bf0e-6a3f1d8a1b02"]
  return [
    { parentUuid: null, ...base, type: "user", message: { role: "user", content: ASKED }, uuid: first, timestamp },
    {
      parentUuid: first,
      ...base,
      message: { id: "msg_1", type: "message", role: "assistant", content: [{ type: "text", text: ANSWERED }] },
      type: "assistant",
      uuid: second,
      timestamp,
    },
  ]
}

function piLines(cwd: string, at: number): object[] {
  const timestamp = new Date(at).toISOString()
  const message = (role: string, text: string) => ({ role, content: [{ type: "text", text }], timestamp: at })
  return [
    { type: "session", version: 3, id: PI, timestamp, cwd },
    { type: "message", id: "5a0d53c0", parentId: null, timestamp, message: message("user", "Add a test for the cart") },
    {
      type: "message",
      id: "ac5a8b02",
      parentId: "5a0d53c0",
      timestamp,
      message: message("assistant", "Done: cart.test.ts."),
    },
  ]
}
