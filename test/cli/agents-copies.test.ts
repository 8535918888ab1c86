// diff and restore from the copies of files that another agent keeps, where there are no snapshots of ours.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { beforeEach, expect, test } from "vitest"
import { makeHost } from "../../src/app/host.ts"
import { hostDeps } from "../../src/app/setup/make-host-deps.ts"
import type { SessionId } from "../../src/model/id.ts"
import type { JsonObject } from "../../src/model/json.ts"
import { answer, prompt, SESSION, uuid } from "../formats/claude-code/lines.ts"
import { FilesBench } from "./files-bench.ts"

let bench: FilesBench
let file: string

/** Two rounds of Claude Code: the first wrote new.txt, the second changed a.txt and removed nothing. */
beforeEach(() => {
  bench = new FilesBench()
  const config = join(bench.folder, "person", ".claude")
  const copy = (prompt: string, files: object) => ({
    type: "file-history-snapshot",
    messageId: uuid(prompt),
    snapshot: { messageId: uuid(prompt), trackedFileBackups: files },
  })
  const lines = [
    prompt("u1", null, "write new.txt"),
    copy("u1", { "new.txt": { backupFileName: null, version: 1 } }),
    answer("a1", "u1"),
    prompt("u2", "a1", "change a.txt"),
    copy("u2", {
      "new.txt": { backupFileName: "aaaa@v1", version: 1 },
      "a.txt": { backupFileName: "bbbb@v1", version: 1 },
      "lost.txt": { backupFileName: "cccc@v1", version: 1 },
      "/etc/hosts": { backupFileName: "bbbb@v1", version: 1 },
    }),
    answer("a2", "u2"),
  ] as JsonObject[]
  file = join(config, "projects", "-project", `${SESSION}.jsonl`)
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("")
  put(file, text.replaceAll('"/home/you/project"', JSON.stringify(bench.cwd)))
  put(join(config, "file-history", SESSION, "aaaa@v1"), "new\n")
  put(join(config, "file-history", SESSION, "bbbb@v1"), "one\n")
  bench.put("a.txt", "one\ntwo\n")
  bench.put("new.txt", "new\n")
  bench.put("mine.txt", "mine\n")
  bench.put("lost.txt", "lost\n")
})

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

const COPIED = "From copies that Claude Code made: a.txt."
const WORDS = "These are copies that Claude Code made; it keeps only what its own tools edited.\n"

test("diff shows what changed since a prompt, and what that leaves out", async () => {
  const since = async (...words: string[]) => bench.run(["diff", ...words, "--stat", "-s", SESSION])
  expect(await since("@2")).toMatchObject({ out: "M a.txt  +1 −0\n1 file differs.\n", err: WORDS })
  expect((await since("@1")).out).toBe("M a.txt  +1 −0\nA new.txt  +1 −0\n2 files differ.\n")
  expect((await since("@1", "@2")).out).toBe("A new.txt  +1 −0\n1 file differs.\n")
  expect((await since()).out).toContain("a.txt")
})

test("restore brings back named files, which can be undone, and touches no other", async () => {
  const before = readFileSync(file)
  const dry = await bench.run(["restore", "@2", "a.txt", "-s", SESSION, "--dry-run"])
  expect([dry.exit, dry.out]).toEqual([0, expect.stringContaining("a.txt")])
  expect(bench.get("a.txt")).toBe("one\ntwo\n")
  const { exit, out } = await bench.run(["restore", "@2", "a.txt", "-s", SESSION])
  expect([exit, out]).toEqual([0, expect.stringContaining(COPIED)])
  expect(bench.get("a.txt")).toBe("one\n")
  expect(readFileSync(file)).toEqual(before)
  await bench.done(`undo -s ${SESSION}`)
  expect(bench.get("a.txt")).toBe("one\ntwo\n")
})

test("without paths everything that was kept comes back; a missing copy deletes nothing", async () => {
  await bench.done(`restore @1 -s ${SESSION}`)
  expect(["a.txt", "new.txt", "mine.txt", "lost.txt"].map((path) => bench.get(path))).toEqual([
    "one\n",
    undefined,
    "mine\n",
    "lost\n",
  ])
})

test("back with the files brings back what was kept from before the round, and undo takes back both", async () => {
  await bench.done(`back -s ${SESSION} --files restore --dry-run --even-if-running`)
  expect(bench.get("a.txt")).toBe("one\ntwo\n")
  const { exit, out } = await bench.run(["back", "-s", SESSION, "--files", "restore", "--even-if-running"])
  expect([exit, out]).toEqual([0, expect.stringContaining("M a.txt")])
  expect(out).toContain(COPIED)
  expect(["a.txt", "new.txt", "mine.txt"].map((path) => bench.get(path))).toEqual(["one\n", "new\n", "mine\n"])
  expect((await bench.run(["prompts", "-s", SESSION])).out).not.toContain("change a.txt")
  await bench.done(`undo -s ${SESSION} --even-if-running`)
  expect(bench.get("a.txt")).toBe("one\ntwo\n")
  expect((await bench.run(["prompts", "-s", SESSION])).out).toContain("change a.txt")
})

test("undoing a move that left the files alone leaves them alone too", async () => {
  await bench.done(`goto @2 -s ${SESSION} --even-if-running`)
  await bench.done(`undo -s ${SESSION} --files restore --even-if-running`)
  expect(["a.txt", "new.txt"].map((path) => bench.get(path))).toEqual(["one\ntwo\n", "new\n"])
  expect(await bench.done(`prompts -s ${SESSION}`)).toContain("@2")
})

test("the terminal shows and restores the same copies", async () => {
  const { deps, close } = await hostDeps(bench.cli(), { model: "practice" })
  const session = await makeHost(deps, "practice").open(SESSION as SessionId)
  try {
    const shown = await session.diff({ from: "@2" })
    expect(JSON.stringify(shown)).toContain("a.txt")
    expect(await session.restore("@2", { paths: ["a.txt"] })).toMatchObject({ outcome: "moved" })
    expect(readFileSync(join(bench.cwd, "a.txt"), "utf8")).toBe("one\n")
  } finally {
    await session.close()
    await close()
  }
})
