import { spawn } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { expect, onTestFinished, test } from "vitest"
import { bashTool } from "../../../src/agent/tools/bash.ts"
import { bashOutputTool } from "../../../src/agent/tools/bash-output.ts"
import { ownSleep, runningIn, runningWith, runTool, setting } from "../setting.ts"

test.each([
  ["output and errors together, in order", "echo a; echo b >&2; echo c", "a\nb\nc"],
  ["a failure with its code", "echo no; exit 3", "no\n(Exit code 3.)"],
  ["silence", "true", "(no output)"],
  ["a silent failure", "false", "(Exit code 1.)"],
  ["its own end by a signal", "kill -9 $$", "(It was ended by SIGKILL.)"],
  ["no input to wait for", "cat; echo after", "after"],
  ["bash, where there is bash", "[[ a == a ]] && echo yes", "yes"],
  [
    "what it left running",
    "sleep 60 & echo left",
    "left\n(Exit code 0. What could be found of it still running was ended; use background for that.)",
  ],
])("a command's answer: %s", async (_, command, output) => {
  const at = setting()
  expect((await runTool(at, bashTool(at.jobs), { command })).output).toBe(output)
})

test("it runs in the workspace, with the environment that is passed in and no other", async () => {
  const at = setting()
  const { output } = await runTool(
    at,
    bashTool(at.jobs),
    { command: "pwd; echo $NAME; echo [$HOME]" },
    { env: { NAME: "value" } },
  )
  expect(output).toBe(`${at.root.folder}\nvalue\n[]`)
})

test("output is passed on while the command runs, and no character is torn", async () => {
  const at = setting()
  const deltas: string[] = []
  const command = "printf 'h\\303'; until test -e go; do sleep 0.01; done; printf '\\251llo'"
  await runTool(
    at,
    bashTool(at.jobs),
    { command },
    {
      emit: (text) => {
        deltas.push(text)
        at.file("go", "")
      },
    },
  )
  expect(deltas).toEqual(["h", "éllo"])
})

test("a command that exceeds its time is ended with everything it started, even what ignores SIGTERM", async () => {
  const at = setting()
  const command = "trap '' TERM; (trap '' TERM; sleep 300; sleep 300) & echo $$ > group; while true; do sleep 1; done"
  const result = await runTool(at, bashTool(at.jobs), { command, timeout: 0.5 })
  expect(result).toEqual({
    error: true,
    output: "(It did not finish within 0.5 seconds and was ended, with what could be found of it.)",
  })
  await expect.poll(() => runningIn(Number(readFileSync(at.file("group"), "utf8")))).toEqual([])
})

test.skipIf(process.platform !== "linux")("what has left the process group is ended with its call too", async () => {
  const at = setting()
  const sleep = ownSleep(4031)
  const command = `setsid ${sleep} & (setsid ${sleep} >/dev/null 2>&1 &); echo left`
  const { output } = await runTool(at, bashTool(at.jobs), { command })
  expect(output).toBe(
    "left\n(Exit code 0. What could be found of it still running was ended; use background for that.)",
  )
  await expect.poll(() => runningWith(sleep)).toEqual([])
})

test.skipIf(process.platform !== "linux")("what cannot be found is not reported as ended", async () => {
  const at = setting()
  const command =
    "env -i setsid sh -c 'echo $$ > pid; exec sleep 4032' & until test -s pid; do sleep 0.01; done; echo left"
  const { output } = await runTool(at, bashTool(at.jobs), { command })
  process.kill(Number(readFileSync(at.file("pid"), "utf8")), "SIGKILL")
  expect(output).toMatch(/^left\n\(Exit code 0\. Something that it started .* could not be found and may still run;/)
})

test("a command that cannot be started says why", async () => {
  const at = setting()
  const gone = { ...at, root: { ...at.root, folder: `${at.root.folder}/gone` } }
  expect((await runTool(gone, bashTool(at.jobs), { command: "true" })).output).toContain("is gone")
  expect((await runTool(at, bashTool(at.jobs), { command: "a\0b" })).output).toContain("could not be started")
})

test("a background command is started, looked at, waited for and ended", async () => {
  const at = setting()
  const [bash, look] = [bashTool(at.jobs), bashOutputTool(at.jobs)]
  const command = "echo $$ > group; echo one; until test -e go; do sleep 0.01; done; echo two; sleep 300"
  expect((await runTool(at, bash, { command, background: true })).output).toContain("Started as job-1.")
  expect((await runTool(at, look, { job: "job-1", wait: 30 })).output).toBe("one\n(job-1 is running)")
  expect((await runTool(at, look, { job: "job-1" })).output).toBe("(nothing new)\n(job-1 is running)")
  at.file("go", "")
  expect((await runTool(at, look, { job: "job-1", wait: 30 })).output).toBe("two\n(job-1 is running)")
  expect((await runTool(at, look, { job: "job-1", kill: true })).output).toContain("(job-1 was ended by SIGTERM)")
  await expect.poll(() => runningIn(Number(readFileSync(at.file("group"), "utf8")))).toEqual([])
  expect(at.jobs.list().map(({ id, ended }) => [id, ended?.how])).toEqual([["job-1", "signal"]])
})

test("a background command that ends is reported to have ended; an unknown one is refused with the existing ones", async () => {
  const at = setting()
  const look = bashOutputTool(at.jobs)
  expect((await runTool(at, look, { job: "job-1" })).output).toBe("There is no job-1. No job was started.")
  await runTool(at, bashTool(at.jobs), { command: "exit 4", background: true })
  expect((await runTool(at, look, { job: "job-1", wait: 30 })).output).toBe(
    "(nothing new)\n(job-1 has ended with exit code 4)",
  )
  expect(await runTool(at, look, { job: "job-7" })).toEqual({
    error: true,
    output: "There is no job-7. Jobs: job-1.",
  })
})

test("a stop ends the waiting for a background command, not the command", async () => {
  const at = setting()
  await runTool(at, bashTool(at.jobs), { command: "sleep 300", background: true })
  const stop = new AbortController()
  const looking = runTool(at, bashOutputTool(at.jobs), { job: "job-1", wait: 60 }, { signal: stop.signal })
  stop.abort()
  expect((await looking).output).toBe("(nothing new)\n(job-1 is running)")
  expect(existsSync(at.root.scratch)).toBe(false)
})

test.skipIf(process.platform !== "linux")("without a sandbox a command runs as the person", async () => {
  const [at, other] = [setting(), setting({ private: "of-the-person" })]
  const running = spawn("sleep", ["60"], { env: { PATH: "/usr/bin:/bin", MINE: "of-a-process" } })
  onTestFinished(() => void running.kill())
  const command = `cat ${other.file("private")}; echo x > ${other.file("new")}; tr '\\0' ' ' < /proc/${running.pid}/environ`
  const { output } = await runTool(at, bashTool(at.jobs), { command })
  expect(output).toContain("of-the-person")
  expect(output).toContain("MINE=of-a-process")
  expect(existsSync(other.file("new"))).toBe(true)
})
