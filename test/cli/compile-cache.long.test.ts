// What the built program keeps of its compiled code, and that it trusts nothing else.
import { spawnSync } from "node:child_process"
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs"
import * as nodeModule from "node:module"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { describe, expect, onTestFinished, test } from "vitest"

const NONE = "There are no sessions in this directory.\nSee all with: retcon ls --all\n"

function place() {
  const folder = mkdtempSync(join(tmpdir(), "retcon-compiled-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const home = join(folder, "home")
  const env = { PATH: process.env.PATH ?? "", HOME: folder, RETCON_HOME: home }
  const retcon = (...words: string[]) => {
    const ran = spawnSync(process.execPath, [resolve("dist/cli.cjs"), ...words], { cwd: folder, env, encoding: "utf8" })
    return { exit: ran.status ?? ran.signal, out: ran.stdout, err: ran.stderr }
  }
  return { home, compiled: join(home, "compiled"), retcon }
}

/** Where the only folder in `compiled` keeps the program's files. */
function kept(compiled: string) {
  const [version = ""] = readdirSync(compiled)
  const folder = join(compiled, version)
  const names = readdirSync(folder).sort()
  const start = join(folder, names.find((name) => name.startsWith("start-")) ?? "")
  return { folder, names, start }
}

test("what was compiled is kept for its owner alone", () => {
  const { home, compiled, retcon } = place()
  mkdirSync(home)
  expect(retcon("ls")).toEqual({ exit: 0, out: NONE, err: "" })
  expect(statSync(compiled).mode & 0o077).toBe(0)
  expect(retcon("ls")).toEqual({ exit: 0, out: NONE, err: "" })
})

test("asking for help creates no folder, nor does a home that others may write to", () => {
  const { home, compiled, retcon } = place()
  expect(retcon("--help").exit).toBe(0)
  expect(existsSync(home)).toBe(false)
  mkdirSync(home)
  chmodSync(home, 0o777)
  expect(retcon("ls").exit).toBe(0)
  expect(existsSync(compiled)).toBe(false)
})

test("where nothing can be kept, everything works", () => {
  const { home, compiled, retcon } = place()
  mkdirSync(home)
  writeFileSync(compiled, "a file")
  expect(retcon("ls")).toEqual({ exit: 0, out: NONE, err: "" })
})

// From Node 22.1 on, Node checks its files itself.
describe.skipIf("enableCompileCache" in nodeModule)("in files of our own", () => {
  test("a second call changes nothing; another command adds what it uses", () => {
    const { home, compiled, retcon } = place()
    mkdirSync(home)
    retcon("ls")
    const { folder, start, names } = kept(compiled)
    for (const name of names) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)
    const [before, { ino }] = [readFileSync(start), statSync(start)]
    retcon("ls")
    expect(statSync(start).ino).toBe(ino)
    retcon("log")
    expect(kept(compiled).names).toContain("log")
    expect(readFileSync(start).length).toBeGreaterThan(before.length)
  })

  test.each([
    ["damaged", (file: string) => writeFileSync(file, readFileSync(file).fill(0, 5000, 9000))],
    ["cut off", (file: string) => writeFileSync(file, readFileSync(file).subarray(0, 5000))],
    ["empty", (file: string) => writeFileSync(file, "")],
    ["another's to write", (file: string) => chmodSync(file, 0o666)],
  ])("one that is %s is not used, and made again", (_, spoil) => {
    const { home, compiled, retcon } = place()
    mkdirSync(home)
    retcon("ls")
    const { folder, start, names } = kept(compiled)
    const { ino } = statSync(start)
    spoil(start)
    expect(retcon("ls")).toEqual({ exit: 0, out: NONE, err: "" })
    expect(statSync(start).ino).not.toBe(ino)
    expect(statSync(start).mode & 0o777).toBe(0o600)
    expect(readdirSync(folder).sort()).toEqual(names)
  })
})
