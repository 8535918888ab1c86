// retcon back --files restore, killed at every kind of moment: the next command finds it, says so and finishes it.
import { spawnSync } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { isSoak } from "../seed.ts"
import { picture } from "../workspace/folder.ts"

const program = resolve("dist/cli.cjs")
const preload = join(import.meta.dirname, "kill-at.mjs")
const folder = realpathSync(mkdtempSync(join(tmpdir(), "retcon-killed-")))
const [cwd, home, counted] = [join(folder, "work"), join(folder, "home"), join(folder, "writes")]
const env = { PATH: process.env.PATH ?? "", HOME: join(folder, "person"), RETCON_HOME: home }

function retcon(words: string[], more: Record<string, string> = {}) {
  const options = "KILL_AT" in more ? ["--import", preload] : []
  const ran = spawnSync(process.execPath, [...options, program, ...words], {
    cwd,
    env: { ...env, ...more },
    encoding: "utf8",
  })
  return { exit: ran.status, signal: ran.signal, out: ran.stdout, err: ran.stderr }
}

const head = () => (JSON.parse(retcon(["log", "--json"]).out) as { head: string }).head

beforeAll(() => {
  mkdirSync(cwd)
  for (let i = 0; i < 5; i++) writeFileSync(join(cwd, `f${i}.txt`), `before ${i}\n`.repeat(40))
  const prompts = [
    "create start.txt with start",
    "run for i in 0 1 2 3; do echo after > f$i.txt; done; rm f4.txt; mkdir -p new/folder; echo made > new/folder/made.txt",
  ]
  for (const [i, prompt] of prompts.entries()) {
    const ran = retcon(["run", "--mode", "yolo", ...(i === 0 ? [] : ["--continue"]), prompt])
    expect([ran.exit, ran.err]).toEqual([0, expect.any(String)])
  }
  cpSync(folder, `${folder}-kept`, { recursive: true, verbatimSymlinks: true })
})
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
  rmSync(`${folder}-kept`, { recursive: true, force: true })
})

function fresh(): void {
  for (const name of ["work", "home"]) {
    rmSync(join(folder, name), { recursive: true, force: true })
    cpSync(join(`${folder}-kept`, name), join(folder, name), { recursive: true, verbatimSymlinks: true })
  }
}

/** The log itself says whether the move was made, so that a hundred kills need no third process each. */
function isRecorded(): boolean {
  const files = readdirSync(join(home, "sessions"), { recursive: true, encoding: "utf8" })
  const logs = files.filter((name) => name.endsWith(".jsonl"))
  expect(logs).toHaveLength(1)
  return readFileSync(join(home, "sessions", logs[0] ?? ""), "utf8").includes('"kind":"back"')
}

const KILLS = isSoak ? 100 : 15

test(`${KILLS} times: it is completed if it was recorded and taken back if not, and log and files agree`, {
  timeout: 600_000,
}, () => {
  const [start, from] = [picture(cwd), head()]
  const whole = retcon(["back", "--files", "restore"], { KILL_AT: "100000", KILL_COUNT: counted })
  expect(whole).toMatchObject({ exit: 0, signal: null })
  const [restored, to] = [picture(cwd), head()]
  expect(restored).not.toEqual(start)
  const writes = Number(readFileSync(counted, "utf8"))
  expect(writes).toBeGreaterThan(40)
  const outcomes = { completed: 0, "taken back": 0, nothing: 0 }
  for (let kill = 0; kill < KILLS; kill++) {
    fresh()
    const at = Math.floor((kill * writes) / KILLS)
    expect(retcon(["back", "--files", "restore"], { KILL_AT: String(at) }).signal).toBe("SIGKILL")
    const next = retcon(["diff", "--stat"])
    expect(next.exit).toBe(0)
    const recorded = isRecorded()
    expect(picture(cwd)).toEqual(recorded ? restored : start)
    const said = /An interrupted restore was (completed|taken back)/.exec(next.err)?.[1] ?? "nothing"
    outcomes[said as keyof typeof outcomes]++
    if (said !== "nothing") expect(said).toBe(recorded ? "completed" : "taken back")
    if (kill % 10 > 0) continue
    expect(head()).toBe(recorded ? to : from)
    expect(retcon(["diff", "--stat"]).err).toBe("")
  }
  // Nothing to say: it had not begun, or had ended but for what is saved for the next start.
  expect(outcomes["taken back"]).toBeGreaterThan(KILLS / 2)
  expect(outcomes.completed).toBeGreaterThan(KILLS / 20)
})

test.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
])("%s lets it finish, says so, and then ends the program", (signal, exit) => {
  fresh()
  const start = picture(cwd)
  expect(retcon(["back", "--files", "restore"]).exit).toBe(0)
  const [restored, to] = [picture(cwd), head()]
  expect(restored).not.toEqual(start)
  for (const at of [1, 25]) {
    fresh()
    const ran = retcon(["back", "--files", "restore"], { KILL_AT: String(at), KILL_WITH: signal })
    expect(ran).toMatchObject({ exit, signal: null, err: expect.stringContaining("Finishing this move first") })
    expect(ran.out).toContain("Went back 1 round.")
    expect([picture(cwd), head()]).toEqual([restored, to])
  }
})

test("all steps are made, even if nobody reads what each of them says", () => {
  fresh()
  for (const word of ["one", "two", "three"]) expect(retcon(["run", "--continue", `say ${word}`]).exit).toBe(0)
  const { status } = spawnSync("bash", ["-c", `"$0" "$1" undo 4 | head -1`, process.execPath, program], { cwd, env })
  expect(status).toBe(0)
  const ops = JSON.parse(retcon(["ops", "--json"]).out) as { kind: string }[]
  expect(ops.filter(({ kind }) => kind === "undo")).toHaveLength(4)
})
