// Programs of agents that leave no trace of their work, as real processes.
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { programIn } from "../../../src/formats/shared/program-in-folder.ts"
import { temporaryFolder } from "../read-session.ts"

const NAMED = /(?:^|\/)agent-of-a-test$/
const session = "01a1e600"

/** A process of that name which waits in a folder. */
async function waiting(cwd: string, ...args: string[]): Promise<ChildProcess> {
  const program = join(temporaryFolder(), "agent-of-a-test")
  writeFileSync(program, "console.log('here'); process.stdin.resume()")
  const child = spawn(process.execPath, [program, ...args], { cwd, stdio: ["pipe", "pipe", "inherit"] })
  await once(child.stdout as NodeJS.ReadableStream, "data")
  return child
}

async function ended(child: ChildProcess): Promise<void> {
  child.stdin?.end()
  await once(child, "exit")
}

test.runIf(process.platform === "linux")("a program in the session's folder may be working on it", async () => {
  const cwd = realpathSync(temporaryFolder())
  const link = join(temporaryFolder(), "link")
  symlinkSync(cwd, link)
  expect(programIn({ named: NAMED, cwd, session })).toBeUndefined()
  const child = await waiting(cwd)
  expect(programIn({ named: NAMED, cwd, session })).toBe("unknown")
  expect(programIn({ named: NAMED, cwd: link, session })).toBe("unknown")
  expect(programIn({ named: NAMED, cwd: "", session })).toBe("unknown")
  expect(programIn({ named: NAMED, cwd: join(cwd, "elsewhere"), session })).toBeUndefined()
  expect(programIn({ named: /^another$/, cwd, session })).toBeUndefined()
  await ended(child)
  expect(programIn({ named: NAMED, cwd, session })).toBeUndefined()
})

test.runIf(process.platform === "linux")("one that was started for the session works on it from anywhere", async () => {
  const child = await waiting(temporaryFolder(), "--resume", `/there/${session}.jsonl`)
  expect(programIn({ named: NAMED, cwd: "/home/you", session })).toBe("unknown")
  expect(programIn({ named: NAMED, cwd: "/home/you", session: "01a1e601" })).toBeUndefined()
  await ended(child)
})

test("where the system does not say, the result is unknown", () => {
  const none = temporaryFolder()
  expect(programIn({ named: NAMED, cwd: "/", session }, join(none, "proc"))).toBe("unknown")
  mkdirSync(join(none, "empty"))
  expect(programIn({ named: NAMED, cwd: "/", session }, join(none, "empty"))).toBe("unknown")
})
