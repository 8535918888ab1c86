// What a person agrees to in the terminal: exactly what they saw, by a key that was meant as an answer.
import { existsSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import type { HostEvent } from "../../src/protocol/event.ts"
import { workIn } from "../../src/protocol/open-to-work.ts"
import { until } from "../app/talk.ts"
import { scriptedModel } from "../test-host.ts"
import { makeStage, type StageOptions } from "./stage.ts"

const PASTE = (text: string) => `\u001b[200~${text}\u001b[201~`

async function asking(command: string, options: StageOptions = {}) {
  const model = scriptedModel([
    { calls: [{ name: "Bash", input: { command } }] },
    { text: "Done." },
    { calls: [{ name: "Bash", input: { command } }] },
    { text: "Done." },
  ])
  const stage = await makeStage({
    rows: 40,
    ...options,
    host: { mode: "default", model: async () => model, ...options.host },
  })
  stage.enter("go")
  await stage.sees("Allow Bash")
  const ran = (name: string) => existsSync(join(stage.host.root, name))
  const session = async () => {
    const [listed] = (await stage.host.host.list()).sessions
    if (listed === undefined) throw new Error("no session")
    return stage.host.host.open(listed.id)
  }
  return { stage, ran, session }
}

describe("what is asked is shown whole", () => {
  test("a long command keeps its spaces and its end, whatever the width", async () => {
    const command = `echo 'a    b' ${"x".repeat(200)}     ; touch hidden`
    const { stage } = await asking(command, { columns: 60 })
    const shown = stage
      .screen()
      .filter((line) => /^(?: {2}|↳ )\S|^↳ /.test(line))
      .map((line) => line.slice(2).trimEnd())
    const pieces = shown.slice(
      0,
      shown.findIndex((line) => line.startsWith("in /tmp")),
    )
    // A row that is not full ends between two words; several spaces stand at the start of a row.
    const whole = pieces.map((row, i) => (row.length < 58 && /^\S/.test(pieces[i + 1] ?? "") ? `${row} ` : row))
    expect(whole.join("")).toBe(`$ ${command}`)
  })

  test("what is longer than the screen must be read to its end before y works", async () => {
    const command = [...Array.from({ length: 60 }, (_, i) => `echo line ${i}`), "touch last"].join("\n")
    const { stage, ran } = await asking(command, { rows: 20 })
    expect(stage.text()).not.toContain("touch last")
    stage.type("y")
    await stage.sees("There is more to read")
    stage.send("\u001b[F")
    await stage.sees("touch last")
    stage.type("a")
    await stage.sees("There is more to read")
    stage.send("\u001b[H")
    await stage.sees("echo line 1\n")
    for (const last of [22, 33, 44, 55]) {
      stage.type(" ")
      await stage.sees(`echo line ${last}\n`)
    }
    stage.type(" ")
    await stage.sees(/lines .* ↑↓ scroll/)
    stage.type("y")
    await stage.idle(1)
    expect(ran("last")).toBe(true)
  })

  test("the end of a long line of a diff is there", async () => {
    const content = `${"a".repeat(300)} && curl x | sh\n`
    const model = scriptedModel([{ calls: [{ name: "Write", input: { path: "a.sh", content } }] }, { text: "Done." }])
    const stage = await makeStage({ rows: 40, host: { mode: "default", model: async () => model } })
    stage.enter("go")
    await stage.sees("Allow Write a.sh?")
    const at = stage.screen().findIndex((line) => line.includes("Allow Write"))
    const shown = stage.screen().slice(at)
    expect(shown.map((line) => line.slice(2)).join("")).toContain("&& curl x | sh")
  })

  test("control characters are seen, and do not hide what follows", async () => {
    const { stage } = await asking("ls\u001b[8m; touch hidden\r#")
    expect(stage.text()).toContain("$ ls<U+001B>[8m; touch hidden<U+000D>#")
  })

  test("a link is asked about with where it leads", async () => {
    const model = scriptedModel([
      { calls: [{ name: "Write", input: { path: "notes.md", content: "x\n" } }] },
      { text: "Done." },
    ])
    const stage = await makeStage({ rows: 40, columns: 120, host: { mode: "yolo", model: async () => model } })
    const target = join(stage.host.home, "..", "bashrc")
    writeFileSync(target, "# mine\n")
    symlinkSync(target, join(stage.host.root, "notes.md"))
    stage.enter("go")
    await stage.sees("Allow Write notes.md → ")
    expect(stage.text()).toContain(`notes.md leads to ${target}, outside this folder.`)
  })
})

describe("only an answer answers", () => {
  test.each([
    "/back",
    "/label x",
    "/compact",
    "/tree",
    "/allow",
    "any other way?",
    "yes but wait",
    "the tests",
    "rather not",
  ])("%j typed under a question allows nothing", async (words) => {
    const { stage, ran } = await asking("touch ran")
    stage.type(words)
    await stage.sees(words)
    expect(stage.text()).toContain("Allow Bash")
    expect(stage.text()).toContain("You are typing")
    expect(ran("ran")).toBe(false)
  })

  test("a command runs under a question, and a move withdraws it", async () => {
    const { stage, ran, session } = await asking("touch ran")
    stage.enter("/allow")
    await stage.sees("No rule allows more.")
    expect(stage.text()).toContain("Allow Bash")
    stage.enter("/mode")
    await stage.sees("asks before it changes a file")
    stage.enter("/undo")
    await stage.sees("Undone")
    expect(stage.text()).not.toContain("Allow Bash")
    expect(ran("ran")).toBe(false)
    expect((await (await session()).permissions()).allow).toEqual([])
  })

  test("pasted text is typed, never an answer", async () => {
    const { stage, ran } = await asking("touch ran")
    stage.send(PASTE("y"))
    await stage.sees("You are typing")
    stage.press("enter")
    await stage.sees("queued: y")
    expect(ran("ran")).toBe(false)
  })

  test("what allows more than this call is named, and a wide one needs Enter", async () => {
    const { stage, ran, session } = await asking("touch ran")
    const offered = stage.text().replace(/\s+/g, " ")
    expect(offered).toContain("a exactly this command, for this session w every `touch …` (changes files, also outside")
    expect(offered).toContain("t every command, whatever it does, for this session; press Enter after it")
    expect(offered).not.toContain("exactly this command, for this session; press Enter")
    stage.type("t")
    await stage.sees("Enter allows every command, whatever it does")
    stage.press("escape")
    await stage.sees(/esc stop\n round 1/)
    expect(ran("ran")).toBe(false)
    stage.type("t")
    await stage.sees("Enter allows every command")
    stage.press("enter")
    await stage.idle(1)
    expect(ran("ran")).toBe(true)
    expect((await (await session()).permissions()).allow).toMatchObject([{ rule: "Bash" }])
  })

  test("Shift+Tab works while a question waits, and a mode that allows the call answers it", async () => {
    const { stage, ran } = await asking("touch ran")
    stage.press("shift+tab")
    await stage.sees("Mode autoEdit")
    expect(stage.text()).toContain("Allow Bash")
    stage.press("shift+tab")
    await stage.idle(1)
    expect(ran("ran")).toBe(true)
  })

  test("/allow lists what this session allows, and takes it back", async () => {
    const { stage, session } = await asking("touch ran")
    stage.type("a")
    await stage.idle(1)
    stage.enter("/allow")
    await stage.sees("1 Bash(=touch ran): exactly this command (this session)")
    stage.enter("/allow revoke 1")
    await stage.sees("No longer allowed in this session: Bash(=touch ran)")
    stage.enter("/allow Bash(git * push)")
    await stage.sees("never applies")
    stage.enter("/allow Bash(npm test)")
    await stage.sees("Allowed in this session: Bash(npm test)")
    expect((await (await session()).permissions()).allow).toMatchObject([{ rule: "Bash(npm test)" }])
    stage.enter("go again")
    await stage.sees("Allow Bash")
    stage.type("n")
    await stage.idle(2)
  })
})

test("an approval's event names the rules that were allowed", async () => {
  const { stage, session } = await asking("touch ran")
  stage.type("n")
  await stage.idle(1)
  const own = await session()
  const ended = until(own, (event: HostEvent) => event.type === "approval-end")
  const done = workIn(own).send({ text: "again" })
  const start = (await until(own, (event) => event.type === "approval-start")) as Extract<
    HostEvent,
    { type: "approval-start" }
  >
  await workIn(own).answer(start.approval, { answer: "session" })
  expect(await ended).toMatchObject({ answer: "session", rules: ["Bash(=touch ran)"] })
  await done
  await own.close()
})
