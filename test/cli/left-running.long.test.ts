// What a command left running writes files after its call has ended: they stay, and the answer names them.
import { execFileSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { FilesBench } from "./files-bench.ts"
import { ClaudeAtWork } from "./hook/claude-at-work.ts"

const WORDS = "changed by you, or by something that a command may have left running"

/** A script that does its work only when it is told to, and says when it is done. */
function lateWork(bench: FilesBench, work: string): { script: string; started: string; happens: () => void } {
  const file = (name: string) => join(bench.folder, name)
  const [started, go, done, script] = [file("started"), file("go"), file("done"), file("late.sh")]
  execFileSync("mkfifo", [started, go, done])
  writeFileSync(script, `echo started > ${started}\nread line < ${go}\n${work}\necho done > ${done}\n`)
  const happens = () => {
    const said = execFileSync("timeout", ["60", "sh", "-c", `echo now > ${go}; cat ${done}`], { encoding: "utf8" })
    expect(said).toBe("done\n")
  }
  return { script, started, happens }
}

test("in our own session, by a process that escaped", async () => {
  const bench = new FilesBench()
  const { script, started, happens } = lateWork(bench, "echo late > late.txt; echo more >> seen.txt")
  const escapes = `setsid env -i PATH="$PATH" timeout 120 sh ${script} > /dev/null 2>&1`
  const prompt = `run echo seen > seen.txt; ${escapes} & timeout 60 cat ${started}`
  expect((await bench.run(["run", "--mode", "yolo", prompt], { settings: { sandbox: "off" } })).exit).toBe(0)
  happens()
  await bench.ask("create next.txt with next")
  expect(await bench.done("back --files restore --dry-run")).not.toContain("Kept")
  for (const words of ["goto @1 --files restore --dry-run", "goto @1 --files restore"]) {
    const said = (await bench.done(words)).replaceAll(/\s+/g, " ")
    for (const path of ["late.txt", "seen.txt"]) expect(said).toContain(`Kept as it is: ${path} (${WORDS})`)
  }
  expect([bench.get("late.txt"), bench.get("seen.txt"), bench.get("next.txt")]).toEqual([
    "late\n",
    "seen\nmore\n",
    undefined,
  ])
})

test.each([
  ["its command says so", (script: string) => ({ command: `sh ${script} > /dev/null 2>&1 &` }), "ok"],
  ["its input says so", (script: string) => ({ command: `sh ${script}`, run_in_background: true }), "ok"],
  [
    "its result says so",
    (script: string) => ({ command: `sh ${script}` }),
    "Command running in background with ID: b1",
  ],
])("in a session of Claude Code with hooks, if %s", async (_, inputOf, result) => {
  const claude = new ClaudeAtWork()
  const { script, started, happens } = lateWork(claude, "echo late > late.txt")
  const command = `timeout 120 sh ${script} > /dev/null 2>&1 & timeout 60 cat ${started}`
  const does = () => execFileSync("sh", ["-c", command], { cwd: claude.cwd })
  await claude.round("start", [{ name: "Bash", input: inputOf(script), does, result }])
  happens()
  await claude.round("next", [
    { name: "Bash", input: { command: "make" }, does: () => claude.put("made.txt", "made\n") },
  ])
  const said = (await claude.done(`restore @1 -s ${claude.name}`)).replaceAll(/\s+/g, " ")
  expect(said).toContain(`Kept as it is: late.txt (${WORDS})`)
  expect([claude.get("late.txt"), claude.get("made.txt")]).toEqual(["late\n", undefined])
})

test("after a command that leaves nothing running, an edit is the person's, and not worth a word", async () => {
  const bench = new FilesBench()
  await bench.ask("run echo 'A & B' > a.txt && cat a.txt 2>&1")
  bench.put("own.txt", "mine\n")
  expect(await bench.done("goto @1 --files restore")).not.toContain("own.txt")
})

test("what a restore of ours changed meanwhile is not called anybody else's", async () => {
  const bench = new FilesBench()
  bench.put("a.txt", "zero\n")
  await bench.ask("create a.txt with one", "run true &", "create b.txt with two")
  await bench.done("restore @1 a.txt --theirs")
  expect(await bench.done("goto @2 --files restore")).not.toContain(WORDS)
})
