// Sub-agents and file histories of other agents: what comes back with the session that they belong to.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { expect, test } from "vitest"
import { Bench } from "./bench.ts"

const FORMATS = join(import.meta.dirname, "../formats")

/** Puts files of a sample into the home of a person; answers that home. */
function homeWith(bench: Bench, files: Readonly<Record<string, string>>): string {
  const home = join(bench.folder, "person")
  for (const [to, from] of Object.entries(files)) {
    mkdirSync(dirname(join(home, to)), { recursive: true })
    cpSync(join(FORMATS, from), join(home, to), { recursive: true })
  }
  return home
}

function filesBelow(folder: string): string[] {
  const all = readdirSync(folder, { recursive: true, withFileTypes: true })
  return all.flatMap((each) => (each.isFile() ? [join(each.parentPath, each.name)] : [])).sort()
}

const CODEX = "codex/samples/sub-agent"
const [CODEX_MAIN, CODEX_TASK] = readdirSync(join(FORMATS, CODEX)).sort() as [string, string]
const GEMINI = "gemini-cli/samples/chats"
const GEMINI_PARENT = "3e91d15a-6798-4c0a-845e-cc8e1befb829"

/** A session with the file of a sub-agent beside it, as its agent keeps them. */
const WITH_TASKS = [
  {
    agent: "codex",
    folder: ".codex",
    files: {
      [`.codex/sessions/2026/11/15/${CODEX_MAIN}`]: `${CODEX}/${CODEX_MAIN}`,
      [`.codex/sessions/2026/11/15/${CODEX_TASK}`]: `${CODEX}/${CODEX_TASK}`,
    },
    session: "01a1e0fd-4018-7d53-b38a-7ea80e73dddd",
  },
  {
    agent: "gemini-cli",
    folder: ".gemini",
    files: {
      ".gemini/tmp/project/chats/session-2026-11-15T20-00-3e91d15a.jsonl": `${GEMINI}/three-rounds.jsonl`,
      [`.gemini/tmp/project/chats/${GEMINI_PARENT}`]: `${GEMINI}/${GEMINI_PARENT}`,
    },
    session: GEMINI_PARENT,
  },
]

test.each(WITH_TASKS)("keep --restore of a session of $agent brings its sub-agents back", async (each) => {
  const bench = new Bench()
  const home = homeWith(bench, each.files)
  if (each.agent === "gemini-cli") {
    const [file] = Object.keys(each.files) as [string]
    const text = readFileSync(join(home, file), "utf8")
    writeFileSync(join(home, file), text.replace(/"sessionId":"[^"]+"/, `"sessionId":"${GEMINI_PARENT}"`))
  }
  const before = new Map(filesBelow(home).map((file) => [file, readFileSync(file)]))
  await bench.run(["keep"])
  rmSync(join(home, each.folder), { recursive: true })
  const { exit, out } = await bench.run(["keep", "--restore", each.session])
  expect(exit).toBe(0)
  for (const [file, bytes] of before) expect([file, readFileSync(file)]).toEqual([file, bytes])
  for (const file of before.keys()) expect(out).toContain(file)
  expect((await bench.run(["keep"])).out).toContain("Nothing new in 2 sessions")
  // Only the sub-agent is gone: it comes back by the name of its session, too.
  const task = [...before.keys()].find((file) => file.includes(CODEX_TASK) || file.includes(`${GEMINI_PARENT}/`)) ?? ""
  rmSync(task)
  expect((await bench.run(["keep", "--restore", each.session])).exit).toBe(0)
  expect(existsSync(task)).toBe(true)
})

test("a thread that Codex forked comes back with the files that it continues", async () => {
  const bench = new Bench()
  const home = homeWith(bench, { ".codex/sessions/2026/11/16": "codex/samples/reverted" })
  const before = filesBelow(home)
  await bench.run(["keep"])
  rmSync(join(home, ".codex"), { recursive: true })
  await bench.run(["keep", "--restore", "01a1e52d-3d5f-7703-b6b2-632706d0f450"])
  const fork = before.find((file) => file.includes("632706d0f450")) ?? ""
  expect(filesBelow(home)).toContain(fork)
  expect(filesBelow(home).length).toBeGreaterThan(1)
})

test("a sub-agent of Kimi Code is listed below its session", async () => {
  const bench = new Bench()
  const session = ".kimi-code/sessions/wd_a/session_2d0750b4-7e0d-4a98-9f99-58ddbc93a169"
  homeWith(bench, { [session]: "kimi-code/samples/three-rounds" })
  const { out } = await bench.run(["ls", "--all", "--agent", "kimi-code"])
  expect(out).toMatch(/^93a169 .*\n.*kimi --session .*\n.* └ /m)
})

test("what agents keep of files is copied, and comes back, with the session", async () => {
  const bench = new Bench()
  const session = ".kimi-code/sessions/wd_a/session_5f0b2c1e-0d57-4c7e-9a54-0d1f3a1c9b7e"
  const home = homeWith(bench, { [session]: "kimi-code/samples/undone" })
  const neovate = join(home, ".neovate")
  mkdirSync(join(neovate, "projects", "p"), { recursive: true })
  mkdirSync(join(neovate, "file-history", "abcd1234"), { recursive: true })
  writeFileSync(join(neovate, "projects", "p", "abcd1234.jsonl"), "{}\n")
  writeFileSync(join(neovate, "file-history", "abcd1234", "0123456789abcdef@v1"), "before")
  const { files } = (await bench.run(["keep", "--json"])).json() as { files: { file: string }[] }
  const copied = files.map(({ file }) => file)
  const histories = filesBelow(home).filter((file) => file.includes("file-history"))
  expect(histories).toHaveLength(2)
  expect(copied).toEqual(expect.arrayContaining(histories))
  rmSync(join(home, ".kimi-code"), { recursive: true })
  await bench.run(["keep", "--restore", "5f0b2c1e-0d57-4c7e-9a54-0d1f3a1c9b7e"])
  expect(histories.every((file) => existsSync(file))).toBe(true)
})

test("a thread that Codex compressed is listed, and every command says how to unpack it", async () => {
  const bench = new Bench()
  const name = "rollout-2026-11-15T20-54-15-01a1e0fd-4018-7d53-b38a-7ea80e73dddd.jsonl.zst"
  const file = join(bench.folder, "person/.codex/sessions/2026/11/15", name)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0, 0, 0]))
  expect((await bench.run(["ls", "--all"])).out).toContain("(compressed by Codex; unpack it with zstd -d)")
  for (const session of ["73dddd", file]) {
    const { exit, err } = await bench.run(["show", "-s", session], { width: 300 })
    expect(exit).toBe(1)
    const copy = name.slice(0, -".zst".length)
    expect(err).toContain(`Unpack a copy with: zstd -d ${file} -o ${copy}, and open it with: retcon -r ${copy}`)
  }
  const { exit, out } = await bench.run(["doctor", "--all"], { width: 300 })
  expect(exit).toBe(0)
  expect(out).toContain("was not read: Codex has compressed this session")
  expect(out).toContain(`Unpack a copy with: zstd -d ${file}`)
  expect(out).toContain("All good")
})

test("sessions of pi are found in the folder that its settings name", async () => {
  const bench = new Bench()
  const home = homeWith(bench, { "elsewhere/a.jsonl": "pi/samples/branched.jsonl" })
  mkdirSync(join(home, ".pi/agent"), { recursive: true })
  writeFileSync(join(home, ".pi/agent/settings.json"), JSON.stringify({ sessionDir: join(home, "elsewhere") }))
  expect((await bench.run(["ls", "--all"])).out).toContain("u1 hello")
  await bench.run(["keep"])
  rmSync(join(home, "elsewhere"), { recursive: true })
  const gone = (await bench.run(["ls", "--all"])).out
  expect(gone).toContain("u1 hello")
  expect(gone).toContain("gone from pi")
})
