// `retcon serve` on a machine with Claude Code: a conversation that goes on in its own session.
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { putClaudeSession } from "../cli/claude-session.ts"
import { CLAUDE_ANSWERS, fakeClaude } from "../programs/fake-claude.ts"
import { served } from "./served.ts"

test("its own program answers, with the person's key; after going back it continues from there", async () => {
  const { session, ask, converse } = await withClaude()
  expect(await ask(session)).toMatchObject({ access: { can: "all" } })
  expect(await converse("u4 fourth")).toContain("I heard u4 fourth with key-of-the-person")
  const before = (await ask(`${session}/messages`)).messages.length
  expect(await ask(`${session}/back`, { evenIfRunning: true })).toMatchObject({ prompt: { text: "u4 fourth" } })
  expect((await ask(`${session}/messages`)).messages).toHaveLength(before - 2)
  await converse("another fourth")
  const { messages } = await ask(`${session}/messages`)
  expect(messages).toHaveLength(before)
  expect(JSON.stringify(messages.slice(-2))).toContain("I heard another fourth")
})

test("what it was denied is reported, and once the person has allowed it, it is allowed for the next turn", async () => {
  const denies = `
    const asked = { tool_name: "Bash", tool_use_id: "t1", tool_input: { command: "npm test" } }
    const may = settings.permissions?.allow ?? []
    answer("Allowed: " + JSON.stringify(may))
    end({ permission_denials: may.includes("Bash(npm test)") ? [] : [asked] })`
  const { session, ask, converse } = await withClaude(denies)
  const first = await converse("run the tests")
  expect(first).toContain(
    '"event":{"type":"denied","calls":[{"call":"t1","name":"Bash","title":"npm test","rule":"Bash(npm test)"}]}',
  )
  await ask(`${session}/rules`, { rule: "Bash(npm test)" })
  const second = await converse("again")
  expect(second).toContain('Allowed: [\\"Bash(npm test)\\"]')
  expect(second).not.toContain('"type":"denied"')
})

test.each([
  [
    "crashes",
    'process.stderr.write("Segmentation fault\\n"); process.kill(process.pid, "SIGSEGV")',
    /Segmentation fault/,
  ],
  [
    "prints no JSON",
    'process.stdout.write("\\u0000{{{ not JSON\\n[1,2]\\nnull\\n" + "x".repeat(3e6)); process.exit(1)',
    /Claude Code ended with exit code 1/,
  ],
])("a program that %s fails the turn with a message, and the session continues", async (_, body, words) => {
  const { session, ask, converse } = await withClaude(
    `if (prompt.includes("break")) { ${body} } else { answer("I heard " + prompt); end() }`,
  )
  expect(await converse("break")).toMatch(words)
  expect(await ask(session)).toMatchObject({ status: { running: false }, live: null })
  expect(await converse("go on")).toContain("I heard go on")
})

/** What the tests look at, each in the answers that have it. */
interface Answer {
  sessions: { id: string }[]
  messages: unknown[]
}

const ANSWERS = `answer("I heard " + prompt + " with " + process.env.ANTHROPIC_API_KEY); end()`

async function withClaude(body = ANSWERS) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "retcon-claude-")))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const cwd = join(folder, "project")
  mkdirSync(cwd)
  const { file } = putClaudeSession({ folder, cwd })
  fakeClaude(join(folder, "bin"), `${CLAUDE_ANSWERS}; ${body}`)
  const server = await served([], {
    PATH: `${join(folder, "bin")}:${process.env.PATH ?? ""}`,
    CLAUDE_CONFIG_DIR: join(folder, "person", ".claude"),
    ANTHROPIC_API_KEY: "key-of-the-person",
    SESSION_FILE: file,
  })
  async function asked(path: string, body?: unknown, accept = "application/json"): Promise<string> {
    const post = { method: "POST", body: JSON.stringify(body) }
    const headers = { accept, "content-type": "application/json" }
    return (await server.ask(path, { ...(body === undefined ? {} : post), headers })).text()
  }
  const ask = async (path: string, body?: unknown) => JSON.parse(await asked(path, body)) as Answer
  const { sessions } = await ask("/api/sessions?agent=claude-code")
  const session = `/api/sessions/${sessions[0]?.id}`
  return { session, ask, converse: (text: string) => asked(`${session}/converse`, { text }, "text/event-stream") }
}
