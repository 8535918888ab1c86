// A process that dies in the middle of a turn, while a tool runs or the model answers.
import { spawn } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { makeHost } from "../../src/app/host.ts"
import { contextAt } from "../../src/history/context/context.ts"
import type { ContextMessage } from "../../src/history/context/message.ts"
import type { SessionId } from "../../src/model/id.ts"
import { parseJson } from "../../src/model/json.ts"
import { plainText } from "../../src/model/record/record.ts"
import { workIn } from "../../src/protocol/open-to-work.ts"
import { fileStore } from "../../src/store/file/file-store.ts"
import { localFiles } from "../../src/store/file/local/local-files.ts"
import { makeTestHost, scriptedModel } from "../test-host.ts"

interface Dying {
  home: string
  root: string
  session: SessionId
  /** Kills it, and waits until it is gone. */
  kill(): Promise<void>
}

/** A host in a process of its own, in the middle of two tool calls, or of an answer that says something. */
async function dyingHost(...says: string[]): Promise<Dying> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "retcon-crash-")))
  onTestFinished(() => rmSync(base, { recursive: true, force: true }))
  const [root, home] = [join(base, "work"), join(base, "home")]
  mkdirSync(root)
  const program = resolve("test/app/programs/turn.ts")
  const child = spawn(process.execPath, ["--import", "tsx", program, root, home, ...says], {
    stdio: ["ignore", "pipe", "inherit"],
  })
  onTestFinished(() => void child.kill("SIGKILL"))
  const gone = new Promise<void>((settle) => child.on("exit", () => settle()))
  let text = ""
  for await (const chunk of child.stdout) {
    text += String(chunk)
    if (text.includes("\n")) break
  }
  const line = parseJson(text)
  if (!line.ok) throw new Error(text)
  const { session } = line.value as { session: SessionId }
  return {
    home,
    root,
    session,
    kill() {
      child.kill("SIGKILL")
      return gone
    },
  }
}

const lastTool = (context: ContextMessage[]) =>
  context.findLast(({ role }) => role === "tool")?.content.filter(({ type }) => type === "tool-result")

test("its open calls are shown as interrupted, and recorded so with the next prompt", async () => {
  const dying = await dyingHost()
  await dying.kill()
  const store = fileStore({ home: dying.home })
  const log = await store.open(dying.session)
  const lines = log.history.size
  const shown = lastTool(contextAt(log.history))
  expect(shown).toMatchObject([
    { call: "a", error: true, output: expect.stringContaining("interrupted") },
    { call: "b", error: true, output: expect.stringContaining("interrupted") },
  ])
  expect(log.history.size).toBe(lines)
  await log.close()

  const model = scriptedModel([{ text: "I see." }])
  const host = makeHost({ ...makeTestHost({ model: async () => model }).parts, store })
  const session = await host.open(dying.session)
  expect(lastTool(await session.context())).toEqual(shown)
  expect(await workIn(session).send({ text: "go on" })).toMatchObject({ outcome: "done" })
  expect(lastTool(await session.context())).toMatchObject(shown as never)
  expect(model.requests[0]?.messages.map(({ role }) => role)).toEqual(["system", "user", "assistant", "tool", "user"])
  const settled = session.history.record(session.history.rowOf(session.history.id(session.head))) // the answer
  expect(settled).toMatchObject({ type: "message", role: "assistant" })
  await session.close()
})

test("while it lives, another process cannot start a turn; when it is dead, it can", async () => {
  const dying = await dyingHost()
  const store = fileStore({ home: dying.home })
  const host = makeHost({ ...makeTestHost({ model: async () => scriptedModel([{ text: "Mine." }]) }).parts, store })
  const session = await host.open(dying.session)
  await expect(workIn(session).send({ text: "me too" })).rejects.toMatchObject({ failure: { code: "session-busy" } })
  expect(await session.back()).toMatchObject({ outcome: "refused", failure: { code: "session-busy" } })
  await dying.kill()
  expect(await workIn(session).send({ text: "me now" })).toMatchObject({ outcome: "done" })
  await session.close()
})

test("what had arrived of an answer is shown, and recorded once with the next prompt", async () => {
  const dying = await dyingHost("The first half of it.")
  const kept = () => readdirSync(join(dying.home, "local")).filter((name) => name.endsWith(".answer.json"))
  await expect.poll(() => existsSync(join(dying.home, "local")) && kept().length).toBe(1)
  await dying.kill()
  const store = fileStore({ home: dying.home })
  const model = scriptedModel([{ text: "I see." }])
  const { parts } = makeTestHost({ model: async () => model, local: (log) => localFiles(dying.home, log) })
  const host = makeHost({ ...parts, store, backtrack: false })
  const unused = await host.open(dying.session)
  await unused.close()
  const session = await host.open(dying.session)
  const told: string[] = []
  session.on(({ event }) => event.type === "notice" && told.push(event.text))
  expect(told.join()).toContain("The first half of it.")
  expect(await workIn(session).send({ text: "go on" })).toMatchObject({ outcome: "done" })
  const said = (await session.context()).slice(1).map(({ content }) => plainText(content))
  expect(said).toEqual(["go", "The first half of it.", "go on", "I see."])
  expect(kept()).toEqual([])
  await session.close()
})
