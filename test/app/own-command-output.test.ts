// The output of the person's own command (`!cmd`): shown as it comes, and given to the model with how it ended.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { runShell } from "../../src/app/turn/shell.ts"
import type { HostEvent } from "../../src/protocol/event.ts"
import { temporaryFolder } from "../formats/read-session.ts"

async function ran(command: string, signal = new AbortController().signal) {
  const cwd = temporaryFolder()
  const events: HostEvent[] = []
  const file = join(cwd, "out/1.txt")
  const emit = (event: HostEvent) => void events.push(event)
  const draft = await runShell({
    command,
    cwd,
    env: { PATH: process.env.PATH ?? "" },
    file,
    signal,
    emit,
    call: "own-1",
  })
  const end = events.find((event) => event.type === "tool-end")
  return { events, end, draft, file, text: JSON.stringify(draft) }
}

test("its output is reported as it comes, and all of it is recorded for the model", async () => {
  const { events, end, draft } = await ran("printf 'one\\ntwo\\n'")
  expect(events[0]).toEqual({
    type: "tool-start",
    call: "own-1",
    name: "!",
    title: "printf 'one\\ntwo\\n'",
    input: "printf 'one\\ntwo\\n'",
  })
  expect(end).toEqual({ type: "tool-end", call: "own-1", name: "!", output: "one\ntwo", error: false, files: [] })
  expect(draft).toMatchObject({ role: "user", origin: "shell", display: "!printf 'one\\ntwo\\n'" })
})

test("how it ended is reported: a code, or a signal", async () => {
  expect((await ran("echo no; exit 3")).end).toMatchObject({ output: "no\n(exit code 3)", error: true })
  expect((await ran("exit 3")).end).toMatchObject({ output: "(exit code 3)", error: true })
  expect((await ran("kill -9 $$")).end).toMatchObject({ output: "(ended by SIGKILL)", error: true })
})

test("one that is stopped before or while it runs ends", async () => {
  expect((await ran("sleep 1000", AbortSignal.abort())).end).toMatchObject({ error: true })
  const stop = new AbortController()
  const running = ran("sleep 1000", stop.signal)
  setImmediate(() => stop.abort())
  expect((await running).end).toMatchObject({ error: true })
})

test("of long output the model gets 30,000 bytes, and the rest is in a file", async () => {
  const whole = await ran("head -c 30000 /dev/zero | tr '\\0' x")
  expect(whole.end).toMatchObject({ output: "x".repeat(30_000) })
  const longer = await ran("head -c 30001 /dev/zero | tr '\\0' x")
  expect(longer.text).toContain("1 characters left out")
  expect(readFileSync(longer.file, "utf8")).toBe("x".repeat(30_001))
})
