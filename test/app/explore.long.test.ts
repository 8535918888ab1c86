// Attempts at one prompt: each in a copy of the folder, with the tools and the sandbox of real work, until a person picks one.
import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { makeSandbox } from "../../src/agent/sandbox/sandbox.ts"
import type { HostEvent } from "../../src/protocol/event.ts"
import type { AttemptState } from "../../src/protocol/explore.ts"
import { attemptTable } from "../../src/protocol/explore-words.ts"
import type { WorkSession } from "../../src/protocol/host.ts"
import { headingOf } from "../../src/protocol/question.ts"
import type { Model } from "../../src/provider/port/port.ts"
import { copyAt } from "../../src/workspace/git/copy/copied-folder.ts"
import { makeTestHost, type ScriptedAnswer, scriptedModel, type TestHost } from "../test-host.ts"
import { picture } from "../workspace/folder.ts"

interface Exploring extends TestHost {
  session: WorkSession
  events: HostEvent[]
  /** The folder, with its repository, bit for bit. */
  look(): Record<string, string>
}

/** `models`: by name, what each attempt with it does. */
async function exploring(models: Record<string, () => Model>, mode: "yolo" | "default" = "yolo"): Promise<Exploring> {
  const at: { home: string } = { home: "" }
  const t = makeTestHost({
    mode,
    model: async (name = "plain") => (models[name] ?? (() => scriptedModel([{ text: "Done." }])))(),
    workRoot: (cwd, session) => {
      const copy = copyAt(at.home, cwd)
      const scratch = join(at.home, "scratch", session)
      return { folder: cwd, scratch, own: at.home, ...(copy === undefined ? {} : { origin: copy.of }) }
    },
    sandbox: ({ folder, scratch, origin }, asked) => {
      const copy =
        origin === undefined ? undefined : { folder, origin, objects: copyAt(at.home, folder)?.objects ?? [] }
      const search = "/usr/bin:/bin:/usr/local/bin"
      const settings = { use: "auto" as const, network: "on" as const, write: [] }
      return makeSandbox({
        settings,
        mode: asked,
        root: folder,
        home: at.home,
        readable: [scratch],
        search,
        ...(copy && { copy }),
      })
    },
  })
  at.home = t.home
  mkdirSync(join(t.root, "test"))
  writeFileSync(join(t.root, "shared.txt"), "one\ntwo\nthree\n")
  writeFileSync(join(t.root, "test", "check.sh"), "grep -q TWO shared.txt\n")
  for (const words of ["init -q -b main", "add -A", "-c user.name=a -c user.email=a@b commit -qm first"])
    execFileSync("git", words.split(" "), { cwd: t.root })
  const { session, events } = await t.open()
  return { ...t, session: session, events, look: () => picture(t.root) }
}

const edit = (text: string): ScriptedAnswer => ({
  calls: [{ name: "Edit", input: { path: "shared.txt", old: "two", new: text } }],
})
const run = (command: string): ScriptedAnswer => ({ calls: [{ name: "Bash", input: { command } }] })
const script =
  (...answers: ScriptedAnswer[]) =>
  () =>
    scriptedModel([...answers, { text: "Done." }])

async function explored(t: Exploring, request: Parameters<WorkSession["explore"]>[0]) {
  const answer = await t.session.explore(request)
  if (answer.outcome !== "explored") throw new Error(JSON.stringify(answer.failure))
  return answer
}

const endsOf = (attempts: AttemptState[]) => attempts.map(({ label, ended }) => `${label} ${ended}`)

test("three attempts differ, the folder stays bit for bit, and one is picked, undone, and another picked", async () => {
  const t = await exploring({
    first: script(edit("TWO"), run("echo one > made.txt")),
    second: script(
      { calls: [{ name: "Write", input: { path: "sub/made.txt", content: "two\n" } }] },
      run("rm shared.txt"),
    ),
    third: script(
      run("git -c user.name=a -c user.email=a@b commit -qam 'in the copy' --allow-empty; echo x > other.txt"),
    ),
  })
  await t.session.send({ text: "hello" })
  const [before, head] = [t.look(), t.session.head]
  const { attempts, changed, held } = await explored(t, { prompt: "do it", models: ["first", "second", "third"] })
  expect(endsOf(attempts)).toEqual(["a1 done", "a2 done", "a3 done"])
  expect([changed, held, t.session.head]).toEqual([[], true, head])
  expect(t.look()).toEqual(before)
  expect(attempts.map(({ files }) => files?.map(({ path }) => path))).toEqual([
    ["made.txt", "shared.txt"],
    ["shared.txt", "sub/made.txt"],
    ["other.txt"],
  ])
  expect(new Set(t.session.labels().values())).toEqual(new Set(["a1", "a2", "a3"]))
  for (const label of ["a1", "a2"]) {
    expect(await t.session.goto(label, { files: "restore" })).toMatchObject({ outcome: "moved" })
    const { folder } = attempts.find((each) => each.label === label) as AttemptState
    expect(picture(t.root, { without: [".git"] })).toEqual(picture(folder ?? "", { without: [".git"] }))
    expect(await t.session.undo()).toMatchObject({ outcome: "moved" })
    expect(t.look()).toEqual(before)
  }
  const cleaned = await t.session.cleanAttempts()
  expect(cleaned.cleaned).toEqual(["a1", "a2"])
  expect(cleaned.kept).toMatchObject([
    { label: "a3", because: expect.stringMatching(/Commits of main .*git fetch/) as string },
  ])
  expect((await t.session.cleanAttempts({ label: "a3", force: true })).cleaned).toEqual(["a3"])
  expect(await t.session.attempts()).toEqual([])
  expect(await t.session.goto("a3", { files: "restore" })).toMatchObject({ outcome: "moved" })
  expect(readFileSync(join(t.root, "other.txt"), "utf8")).toBe("x\n")
})

test("checks run in the copies; what failed before too is said, and guarded files are named", async () => {
  const t = await exploring({
    good: script(edit("TWO")),
    cheats: script(run("echo exit 0 > test/check.sh")),
    bad: script(edit("no")),
  })
  const { attempts } = await explored(t, {
    prompt: "make the check pass",
    models: ["good", "cheats", "bad"],
    checks: ["sh test/check.sh", "test -f never"],
    setup: "echo from setup > prepared.txt",
  })
  const table = attemptTable(attempts)
  expect(table.map((line) => line.replace(/ +\d+:\d\d/, "").replace(/ +/g, " "))).toEqual([
    "attempt ended check files lines steps time",
    "a1 done ✓, ✗ exit 1, failed before too 1 +1 −1 2",
    "a2 done ✓, ✗ exit 1, failed before too 1 +1 −1 2 changed test/check.sh",
    "a3 done ✗ exit 1, failed before too, ✗ exit 1, failed before too 1 +1 −1 2",
  ])
  expect(existsSync(join(t.root, "prepared.txt"))).toBe(false)
})

test("a setup that fails ends that attempt, says why, and leaves nothing in the folder", async () => {
  const t = await exploring({ plain: script(edit("TWO")) })
  const before = t.look()
  const { attempts } = await explored(t, { prompt: "x", attempts: 2, setup: "echo no luck; exit 3" })
  expect(endsOf(attempts)).toEqual(["a1 failed", "a2 failed"])
  expect(attempts[0]?.problem).toContain("no luck")
  expect(attempts.map(({ tip }) => tip)).toEqual([null, null])
  expect(t.look()).toEqual(before)
})

test("a model that fails ends its attempt, and the others go on", async () => {
  const t = await exploring({
    fails: () => scriptedModel([{ problem: { kind: "other", message: "no credit", retry: false } as never }]),
    works: script(edit("TWO")),
  })
  const { attempts } = await explored(t, { prompt: "x", models: ["fails", "works"] })
  expect(endsOf(attempts)).toEqual(["a1 failed", "a2 done"])
})

test("the budget of all ends attempts between steps", async () => {
  const price = { input: 1, output: 1, cacheRead: 1, cacheWrite: 1 }
  const usage = { input: 100_000, output: 0 }
  const step = { ...run("true"), usage }
  const t = await exploring({
    dear: () => scriptedModel([step, step, step, step, { text: "Done.", usage }], { price }),
  })
  const { attempts } = await explored(t, { prompt: "x", models: ["dear"], budget: 0.25 })
  expect(endsOf(attempts)).toEqual(["a1 budget"])
  expect(attempts[0]?.steps).toBe(2)
})

test("questions name their attempt, and are answered in the session that explores", async () => {
  const t = await exploring({ plain: script(run("touch asked")) }, "default")
  const asked: string[] = []
  t.session.on(({ event }) => {
    if (event.type !== "approval-start") return
    asked.push(`${headingOf(event)} ${event.title}`)
    void t.session.answer(event.approval, event.attempt?.label === "a1" ? { answer: "once" } : { answer: "no" })
  })
  const { attempts } = await explored(t, { prompt: "x", attempts: 2 })
  expect(asked.toSorted()).toEqual(["a1: Bash Bash: touch asked", "a2: Bash Bash: touch asked"])
  expect(attempts.map(({ files }) => files?.map(({ path }) => path))).toEqual([["asked"], []])
})

test("stop ends all attempts; what they did until then is a branch; the next exploration has other names", async () => {
  const t = await exploring({ slow: script(edit("TWO"), { text: "thinking", hangs: true }) })
  const working = new Set<string>()
  t.session.on(({ event }) => {
    if (event.type !== "attempt" || event.state.steps === 0) return
    if (working.add(event.state.label).size === 2) void t.session.stop()
  })
  const { attempts } = await explored(t, { prompt: "x", models: ["slow", "slow"] })
  expect(endsOf(attempts)).toEqual(["a1 stopped", "a2 stopped"])
  expect(attempts.every(({ tip }) => tip !== null)).toBe(true)
  const again = await explored(t, { prompt: "x", attempts: 1 })
  expect(endsOf(again.attempts)).toEqual(["b1 done"])
})

test("in a new conversation, and in an attempt itself", async () => {
  const t = await exploring({ plain: script(edit("TWO")) })
  const { attempts } = await explored(t, { prompt: "first of all", attempts: 1 })
  expect(t.session.head).toBe(0xffff_ffff)
  const nested = await t.host.open(attempts[0]?.session as never)
  onTestFinished(async () => void (await nested.close()))
  await expect((nested as WorkSession).explore({ prompt: "x" })).rejects.toThrow("This session is an attempt itself.")
  await expect(t.session.explore({ prompt: " " })).rejects.toThrow("There is no prompt.")
})
