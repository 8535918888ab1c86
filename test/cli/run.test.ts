// retcon run: the answer on stdout, all else on stderr, events as JSON, and what it exits with.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { parseJson } from "../../src/model/json.ts"
import { makeStage, type Screen, type Stage } from "./stage.ts"

type Event = { type: string; [field: string]: unknown }

function stage(): Stage & { run(words: string[], screen?: Screen): ReturnType<Stage["retcon"]> } {
  const made = makeStage()
  mkdirSync(made.cwd, { recursive: true })
  const practice = ["--model", "practice"]
  const env = { PATH: process.env.PATH ?? "" }
  return { ...made, run: (words, screen = {}) => made.retcon(["run", ...practice, ...words], { env, ...screen }) }
}

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller names the shape that is promised
function json<Value>(text: string): Value {
  const parsed = parseJson(text)
  if (!parsed.ok) throw new Error(text)
  return parsed.value as Value
}

const events = (out: string) =>
  out
    .trimEnd()
    .split("\n")
    .map((line) => json<Event>(line))

const typesOf = (out: string) => events(out).map(({ type }) => type)

test("the answer's text goes to stdout, what happens meanwhile to stderr, and the files are made", async () => {
  const at = stage()
  const { out, err, exit } = await at.run(["--mode", "yolo", "create a.txt with hello"])
  expect(exit).toBe(0)
  expect(out).not.toMatch(/▸|session|tokens/)
  expect(out.endsWith("\n")).toBe(true)
  expect(err).toContain("▸ ")
  expect(err).toMatch(/session \w+ · \d+ tokens sent/)
  expect(readFileSync(join(at.cwd, "a.txt"), "utf8").trim()).toBe("hello")
})

test("stdin is added to the prompt; without either there is none", async () => {
  const at = stage()
  await at.run(["what", "is", "this?"], { input: "the text of a pipe\n" })
  const { out } = await at.retcon("prompts --json")
  expect(json(out)).toMatchObject([{ text: "what is this?\n\nthe text of a pipe" }])
  expect(await at.run([], { input: "help" })).toMatchObject({ exit: 0 })
  expect(await at.run([], {})).toMatchObject({ exit: 2, out: "" })
  const much = await at.run(["look"], { input: "x".repeat(11 * 1024 * 1024) })
  expect(much).toMatchObject({ exit: 2, err: expect.stringContaining("over 10 MB") })
})

test("-c continues the last session, never a sub-agent's; without one it says so and creates one", async () => {
  const at = stage()
  const first = await at.run(["-c", "--mode", "yolo", "delegate: create sub.txt with x"])
  expect(first.err).toContain("There is no session here to continue: this is a new one.")
  expect(existsSync(join(at.cwd, "sub.txt"))).toBe(true)
  at.wait(1)
  const second = await at.run(["-c", "help"])
  expect(second.err).not.toContain("no session")
  const prompts = json((await at.retcon("prompts --json")).out)
  expect(prompts).toMatchObject([{ text: "delegate: create sub.txt with x" }, { text: "help" }])
  expect(json((await at.retcon("ls --json --all")).out)).toHaveLength(2)
})

test("-r continues the session it names; one that does not exist is an error", async () => {
  const at = stage()
  await at.run(["help"])
  at.wait(1)
  const [{ id }] = json<[{ id: string }]>((await at.retcon("ls --json")).out)
  await at.run(["help"])
  expect(await at.run(["-r", id.slice(-8), "help"])).toMatchObject({ exit: 0 })
  expect(json((await at.retcon(`prompts --json -s ${id}`)).out)).toHaveLength(2)
  expect(await at.run(["-r", "ffffffff", "help"])).toMatchObject({ exit: 1, out: "" })
})

test("-r takes the session in a file, wherever it is", async () => {
  const at = stage()
  await at.run(["help"])
  const [{ file }] = json<[{ file: string }]>((await at.retcon("ls --json")).out)
  const copy = join(at.cwd, "received.jsonl")
  writeFileSync(copy, readFileSync(file))
  const before = readFileSync(file)
  for (const named of [copy, "received.jsonl"]) expect(await at.run(["-r", named, "help"])).toMatchObject({ exit: 0 })
  expect(json((await at.retcon(`prompts --json -s ${copy}`)).out)).toHaveLength(3)
  expect(readFileSync(file)).toEqual(before)
  expect(await at.run(["-r", "nowhere.jsonl", "help"])).toMatchObject({ exit: 1, out: "" })
})

test("--json: one event per line, versioned, and the last says where the head is", async () => {
  const at = stage()
  const { out, exit, err } = await at.run(["--json", "--mode", "yolo", "create a.txt with hello"])
  expect({ exit, err }).toEqual({ exit: 0, err: "" })
  const all = events(out)
  expect(all[0]).toMatchObject({ version: 1 })
  expect(typesOf(out)).toEqual(
    expect.arrayContaining([
      "turn-start",
      "step-start",
      "tool-start",
      "tool-end",
      "text-delta",
      "step-end",
      "turn-end",
    ]),
  )
  const { head } = json<{ head: string }>((await at.retcon("log --json")).out)
  const [listed] = json<[{ id: string }]>((await at.retcon("ls --json")).out)
  expect(all.at(-1)).toMatchObject({ type: "end", session: listed.id, head, outcome: "done" })
  expect(all.filter(({ type }) => type === "end")).toHaveLength(1)
  expect(all.at(-1)).toHaveProperty("totals.saved")
})

test("nobody is there to ask: a write is refused, unless --mode or --allow allows it", async () => {
  const at = stage()
  const refused = await at.run(["create a.txt with hello"])
  expect(refused.err).toContain("not allowed")
  expect(refused.err).toContain(
    "1 call was refused, because there is nobody to ask.\n  Allow it with --allow TOOL or --mode.",
  )
  expect(refused.exit).toBe(1)
  expect(existsSync(join(at.cwd, "a.txt"))).toBe(false)
  const allowed = await at.run(["--mode", "autoEdit", "create a.txt with hello"])
  expect(allowed.exit).toBe(0)
  expect(existsSync(join(at.cwd, "a.txt"))).toBe(true)
  await at.run(["run touch b.txt", "--mode", "autoEdit"])
  expect(existsSync(join(at.cwd, "b.txt"))).toBe(false)
  await at.run(["run touch b.txt", "--allow", "Bash(touch *)"])
  expect(existsSync(join(at.cwd, "b.txt"))).toBe(true)
})

test("--max-steps ends it with 1 and a message, in JSON too", async () => {
  const at = stage()
  const words = ["--max-steps", "1", "--mode", "yolo", "create a.txt with hello"]
  const { exit, err } = await at.run(words)
  expect(exit).toBe(1)
  expect(err).toContain("retcon: Stopped after 1 step, the limit for one turn.")
  const json = await at.run(["--json", ...words])
  expect(json.exit).toBe(1)
  expect(events(json.out).at(-1)).toMatchObject({
    type: "end",
    outcome: "failed",
    message: expect.stringContaining("1 step"),
    hint: expect.stringContaining("--max-steps"),
  })
})

test("--no-backtrack: no checkpoint and no Backtrack, in the log and in what the model would get", async () => {
  const at = stage()
  for (let n = 0; n < 8; n++) writeFileSync(join(at.cwd, `f${n}.txt`), `fact ${n}\n`)
  const { out } = await at.run(["--json", "--no-backtrack", "explore"])
  expect(typesOf(out)).not.toContain("backtracked")
  expect((await at.retcon("show --context --json")).out).not.toContain("Checkpoint")
  expect((await at.retcon("log --json")).out).not.toContain('"checkpoint"')
  const other = stage()
  for (let n = 0; n < 8; n++) writeFileSync(join(other.cwd, `f${n}.txt`), `fact ${n}\n`)
  const with_ = await other.run(["explore"])
  expect(with_.err).toMatch(/↶ backtracked to checkpoint \d+/)
  expect(with_.err).toContain("backtracking saved about")
})

test("an unavailable model is reported in one line and a hint, with exit 1", async () => {
  const at = makeStage()
  mkdirSync(at.cwd, { recursive: true })
  const { exit, err, out } = await at.retcon(["run", "--model", "anthropic/claude-sonnet-4-5", "hi"])
  expect({ exit, out }).toEqual({ exit: 1, out: "" })
  expect(err).toContain("ANTHROPIC_API_KEY")
})

test("what --allow cannot use is refused before anything is made", async () => {
  const at = stage()
  const { exit, err } = await at.run(["hello", "--allow", "Bash("])
  expect([exit, err]).toEqual([
    2,
    expect.stringMatching(/is not a rule for --allow\.\n {2}.*Each --allow takes one rule/),
  ])
  expect((await at.run(["--allow", "hello", "go"])).err).toMatch(
    /there is no tool hello.*\n.*Each --allow takes one rule/,
  )
  expect((await at.retcon("ls --json")).out.trim()).toBe("[]")
})

test("--allow takes one rule and can be repeated: the word that follows is the prompt", async () => {
  const at = stage()
  const { exit } = await at.run(["--allow", "Write", "--allow", "Bash(touch *)", "create a.txt with hello"])
  expect([exit, existsSync(join(at.cwd, "a.txt"))]).toEqual([0, true])
  const ran = await at.run(["--allow", "Write", "--allow", "Bash(touch *)", "run touch b.txt"])
  expect([ran.exit, existsSync(join(at.cwd, "b.txt"))]).toEqual([0, true])
})
