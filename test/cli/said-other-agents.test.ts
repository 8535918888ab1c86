// Restores in other agents' sessions without hooks, from what their own files tell of each call: recorded by the real programs.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { beforeEach, expect, test } from "vitest"
import { FORMATS } from "../../src/formats/all/formats.ts"
import { slugOf } from "../../src/formats/neovate/place.ts"
import { EVERY_AGENT, putSample } from "../foreign/every-agent.ts"
import { FilesBench } from "./files-bench.ts"

let bench: FilesBench
beforeEach(() => {
  bench = new FilesBench()
})

/** Puts a recorded session where its agent would, as if it had worked in this folder. */
function recorded(sample: string, at: string): string {
  const path = join(bench.folder, "person", at)
  mkdirSync(dirname(path), { recursive: true })
  const text = readFileSync(join(import.meta.dirname, "../formats", sample), "utf8")
  writeFileSync(path, text.replaceAll("/home/dev/work", bench.cwd))
  return path
}

function putAll(files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) bench.put(path, text)
}

function contents(...paths: string[]): Record<string, string | undefined> {
  return Object.fromEntries(paths.map((path) => [path, bench.get(path)]))
}

test("Gemini CLI: what its tools wrote comes back; line ends that it does not tell, and commands, are named", async () => {
  const session = recorded("gemini-cli/samples/chats/edited.jsonl", ".gemini/tmp/work/chats/session-1-2940aac4.jsonl")
  const stays = { "mixed.txt": "one\r\nTWO\r\nthree\r\n", "shell.txt": "shell\n" }
  putAll({ "new.txt": "new\n", "made.txt": "made\n", "old.txt": "ONE\n", "crlf.txt": "ONE\r\ntwo\r\n", ...stays })
  putAll({ "edit.txt": "one\nTWO\nthree" })
  const out = await bench.done(`restore @1 -s ${session}`)
  expect(contents("new.txt", "made.txt", "old.txt", "crlf.txt", "edit.txt", ...Object.keys(stays))).toEqual({
    "old.txt": "one\ntwo\nthree\n",
    "crlf.txt": "one\r\ntwo\r\nthree\r\n",
    "edit.txt": "one\ntwo\nthree",
    ...stays,
  })
  const told = out.replace(/\s+/g, " ")
  expect(told).toContain("What Gemini CLI changed in mixed.txt stays: what it contained before is not recorded.")
  expect(told).toContain("1 shell command ran in a round without snapshots: what it changed is not known, and stays.")
  await bench.done(`undo -s ${session} --even-if-running`)
  expect(contents("new.txt", "edit.txt")).toEqual({ "new.txt": "new\n", "edit.txt": "one\nTWO\nthree" })
  // It keeps no copies, so there is nothing to compare with.
  const { exit, err } = await bench.run(["diff", "-s", session])
  expect([exit, err]).toEqual([1, expect.stringContaining("with: retcon hooks install gemini-cli\n")])
})

test("Codex: what its patches changed or deleted comes back; what they added or moved is named, and commands are counted", async () => {
  const name = "rollout-2026-11-18T11-53-19-01a1ee81-152e-7702-9484-5570d6d94f5a.jsonl"
  const session = recorded(`codex/samples/patched/${name}`, `.codex/sessions/2026/11/18/${name}`)
  const [spread, spreadBefore] = [
    ["three", "twentyfive"],
    ["3", "25"],
  ].map(([one, other]) => Array.from({ length: 30 }, (_, i) => `${{ 3: one, 25: other }[i + 1] ?? i + 1}\n`).join(""))
  // `Add File` says the same of a file that it overwrote: there2.txt was there before, new.txt was not.
  const stays = { "new.txt": "new\n", "there2.txt": "over\n", "there.txt": "a\nB\nc\n", "shell.txt": "x\n" }
  putAll({
    "old.txt": "one\nTWO\nthree\n",
    "crlf.txt": "one\r\nTWO\r\nthree\r\n",
    "edit.txt": "one\ntwo\nTHREE\n",
    ...stays,
  })
  putAll({ "mixed.txt": "one\r\nTWO\r\nthree\n", "spread.txt": `${spread}mine\n` })
  const out = await bench.done(`restore @1 -s ${session}`)
  const changed = ["old.txt", "crlf.txt", "edit.txt", "mixed.txt", "spread.txt", "gone.txt", "moved.txt"]
  expect(contents(...changed, ...Object.keys(stays))).toEqual({
    "old.txt": "one\ntwo\nthree\n",
    "crlf.txt": "one\r\ntwo\r\nthree\r\n",
    "edit.txt": "one\ntwo\nthree",
    "mixed.txt": "one\r\ntwo\nthree\n",
    // The person's line stays.
    "spread.txt": `${spreadBefore}mine\n`,
    "gone.txt": "gone\n",
    ...stays,
  })
  const told = out.replace(/\s+/g, " ")
  expect(told).toContain("What Codex changed in new.txt, moved.txt, there.txt and there2.txt stays")
  expect(told).toContain("2 shell commands ran")
  const { exit, err } = await bench.run(["diff", "-s", session])
  expect([exit, err]).toEqual([1, expect.stringContaining("with: retcon hooks install codex\n")])
})

test("Neovate Code: what it wrote comes back, whole; what it edited is named where it keeps no copies", async () => {
  const place = `.neovate/projects/${slugOf(bench.cwd)}/65a89596.jsonl`
  const session = recorded("neovate/samples/three-rounds.jsonl", place)
  const projects = JSON.stringify({ projects: { [bench.cwd]: { history: [] } } })
  writeFileSync(join(bench.folder, "person/.neovate/data.json"), projects)
  const text = readFileSync(session, "utf8")
  const [made = "", folder = ""] = /"absoluteFilePath":"(.*?)\/tool-out-2\.txt"/.exec(text)?.slice(0, 2) ?? []
  expect(made).not.toBe("")
  const lines = text.replaceAll(folder, bench.cwd).trimEnd().split("\n")
  const last = JSON.parse(lines.at(-1) ?? "")
  // As its tools write them when the file was there.
  let parent = last.uuid
  const add = (line: object) => {
    const uuid = `00000000-0000-4000-8000-${String(lines.length).padStart(12, "0")}`
    const about = { type: "message", timestamp: "2026-11-15T20:40:00.000Z", sessionId: "65a89596" }
    lines.push(JSON.stringify({ parentUuid: parent, uuid, ...line, ...about }))
    parent = uuid
  }
  const call = (id: string, name: string, input: object, display: object) => {
    add({ role: "assistant", content: [{ type: "tool_use", id, name, input }], text: "", model: "m" })
    const returnDisplay = { type: "diff_viewer", ...display }
    const result = { llmContent: "File successfully written", returnDisplay }
    add({ role: "tool", content: [{ type: "tool-result", toolCallId: id, toolName: name, input, result }] })
  }
  const at = (path: string) => ({ file_path: join(bench.cwd, path) })
  const told = (path: string) => ({ absoluteFilePath: join(bench.cwd, path) })
  add({ role: "user", content: "change them" })
  const before = { originalContent: "one\r\ntwo", newContent: { inputKey: "content" }, writeType: "replace" }
  call("c1", "write", { ...at("old.txt"), content: "new" }, { ...told("old.txt"), ...before })
  const passage = { originalContent: { inputKey: "old_string" }, newContent: { inputKey: "new_string" } }
  call("c2", "edit", { ...at("edit.txt"), old_string: "a", new_string: "b" }, { ...told("edit.txt"), ...passage })
  writeFileSync(session, `${lines.join("\n")}\n`)
  putAll({ "tool-out-2.txt": "written in round 2\n", "old.txt": "new\n", "edit.txt": "b\n" })
  const out = await bench.done(`restore @1 -s ${session}`)
  expect(contents("tool-out-2.txt", "old.txt", "edit.txt")).toEqual({ "old.txt": "one\r\ntwo", "edit.txt": "b\n" })
  expect(out.replace(/\s+/g, " ")).toContain("What Neovate Code changed in edit.txt stays")
})

test("the files of six agents tell what other files contained before; with those of the others, a restore is refused", async () => {
  const tells: string[] = []
  for (const sample of EVERY_AGENT) {
    const { path, main } = putSample(sample, join(bench.folder, "person"))
    const opened = await (await FORMATS.find(({ agent }) => agent === sample.agent)?.load())?.open({ path, main })
    if (opened?.said !== undefined || opened?.fileHistory !== undefined) tells.push(sample.agent)
    else expect((await bench.run(["restore", "@1", "-s", path])).err).toContain("there are no snapshots of what")
  }
  expect(tells).toEqual(["claude-code", "codex", "gemini-cli", "kimi-code", "neovate", "qwen-code"])
})
