// The process that explores is killed while its attempts work: nothing moved, nothing is left running, and what they did is kept.
import { spawn, spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { makeHost } from "../../src/app/host.ts"
import type { SessionId } from "../../src/model/id.ts"
import { parseJson } from "../../src/model/json.ts"
import { fileStore } from "../../src/store/file/file-store.ts"
import { localFiles } from "../../src/store/file/local/local-files.ts"
import { openGitWorkspace } from "../../src/workspace/git/git-workspace.ts"
import { ownSleep, runningWith } from "../agent/setting.ts"
import { makeTestHost } from "../test-host.ts"
import { until } from "../within.ts"
import { picture } from "../workspace/folder.ts"

test("killed in the middle, the session and the folder are as before, and --resume finds what was done", async () => {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "retcon-explore-")))
  onTestFinished(() => rmSync(base, { recursive: true, force: true }))
  const [root, home] = [join(base, "work"), join(base, "home")]
  mkdirSync(root)
  mkdirSync(home)
  writeFileSync(join(root, "own.txt"), "mine\n")
  const before = picture(root)
  const sleep = ownSleep(600)
  const program = resolve("test/app/programs/explore.ts")
  const child = spawn(process.execPath, ["--import", "tsx", program, root, home, sleep], {
    stdio: ["ignore", "pipe", "inherit"],
  })
  onTestFinished(() => void child.kill("SIGKILL"))
  const gone = new Promise<void>((settle) => child.on("exit", () => settle()))
  let text = ""
  for await (const chunk of child.stdout) if ((text += String(chunk)).includes("\n")) break
  const told = parseJson(text)
  const { session: id } = (told.ok ? told.value : {}) as { session: SessionId }
  await until(() => runningWith(sleep).length >= 2)
  child.kill("SIGKILL")
  await gone
  await until(() => runningWith(sleep).length === 0)
  expect(picture(root)).toEqual(before)

  const clean = [resolve("dist/cli.cjs"), "explore", "--clean", "-s", id]
  const env = { ...process.env, RETCON_HOME: home }
  const { status, stderr } = spawnSync(process.execPath, clean, { cwd: root, env, encoding: "utf8" })
  expect([status, stderr]).toEqual([
    1,
    expect.stringContaining("Take in what they did with: retcon explore --resume\n"),
  ])

  const t = makeTestHost()
  const host = makeHost({
    ...t.parts,
    store: fileStore({ home }),
    local: (log) => localFiles(home, log),
    openWorkspace: (cwd, session) =>
      openGitWorkspace({ root: cwd, home, session, clock: () => Date.now(), newId: () => "0123456789abcdef" }),
  })
  onTestFinished(() => host.close())
  const session = await host.open(id)
  expect([session.history.head, session.labels().size]).toEqual([0xffff_ffff, 0])
  const because = "It was interrupted, and what it did has not been taken in yet."
  expect((await session.cleanAttempts()).kept).toEqual([
    { label: "a1", because },
    { label: "a2", because },
  ])
  const taken = await session.finishAttempts()
  expect(taken.map(({ label, ended }) => `${label} ${ended}`)).toEqual(["a1 interrupted", "a2 interrupted"])
  expect(await session.finishAttempts()).toEqual([])
  expect(session.history.head).toBe(0xffff_ffff)
  expect(picture(root)).toEqual(before)
  expect(await session.goto("a1", { files: "restore" })).toMatchObject({ outcome: "moved" })
  expect(readFileSync(join(root, "made.txt"), "utf8")).toBe("made\n")
  expect((await session.cleanAttempts()).cleaned).toEqual(["a1", "a2"])
  expect(readdirSync(join(home, "attempts"))).toEqual([])
})
