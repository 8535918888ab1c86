// What a start loads, and above all what it does not: compiling and reading code is most of its time.
import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join, resolve } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { hasTmux, openPane, RETCON } from "../tui/tmux.ts"

const PROBE = `--require=${resolve("test/cli/programs/loaded.cjs")}`

/** By the name of a function or class in each part of the program. */
const PARTS = {
  "the terminal": "runTui",
  "the terminal as lines": "runPlain",
  "a turn": "runTurn",
  tools: "builtInTools",
  "models of providers": "sdkModel",
  "the host": "makeHost",
  "snapshots of files": "openGitWorkspace",
  "a session's log": "FileLog",
  "another agent's log": "ForeignLog",
  "the doctor": "examineSession",
  "export without secrets": "redactedMarkdown",
  "a server": "takeUpgrades",
} as const

type Part = keyof typeof PARTS

/** The built file that has it. */
function fileOf(name: string): string {
  const defines = new RegExp(`(?:function|class|var) ${name}\\b`)
  const found = readdirSync("dist").filter(
    (file) => file.endsWith(".cjs") && defines.test(readFileSync(join("dist", file), "utf8")),
  )
  expect({ name, files: found.length }).toEqual({ name, files: 1 })
  return resolve("dist", found[0] as string)
}

function partsIn(loaded: string): { parts: Part[]; own: string[] } {
  const { files, own } = JSON.parse(readFileSync(loaded, "utf8")) as { files: string[]; own: string[] }
  const parts = (Object.keys(PARTS) as Part[]).filter((part) => files.includes(fileOf(PARTS[part])))
  return { parts, own }
}

/** They take milliseconds each. */
const LARGE = ["child_process", "http", "https", "readline", "worker_threads"]

test("a list of sessions loads no other part of the program", () => {
  const folder = mkdtempSync(join(tmpdir(), "retcon-loaded-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  // There already: so the first call also copies other agents' sessions in passing, and the second does not.
  mkdirSync(join(folder, "home"))
  const loaded = join(folder, "loaded.json")
  const env = { PATH: process.env.PATH ?? "", HOME: folder, RETCON_HOME: join(folder, "home"), LOADED: loaded }
  const retcon = (words: string[], input = "") => {
    const ran = spawnSync(process.execPath, [PROBE, resolve("dist/cli.cjs"), ...words], { cwd: folder, env, input })
    expect([ran.status, String(ran.stderr)]).toEqual([0, ""])
  }
  retcon(["import", "-"], '{"role":"user","content":"hi"}\n')
  retcon(["ls"])
  const { parts, own } = partsIn(loaded)
  expect(parts).toEqual([])
  expect(own.filter((name) => LARGE.includes(name))).toEqual([])
})

test("a hook around an edit loads four files, from the name that earlier versions installed too", () => {
  const folder = mkdtempSync(join(tmpdir(), "retcon-loaded-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const loaded = join(folder, "loaded.json")
  const env = { PATH: process.env.PATH ?? "", HOME: folder, RETCON_HOME: join(folder, "home"), LOADED: loaded }
  const cwd = join(folder, "project")
  mkdirSync(cwd)
  const about = { session_id: "7aaef370-c7b1-4fb3-acc5-b922e1583b82", cwd, prompt_id: "p" }
  const hook = (file: string, event: object) => {
    const input = JSON.stringify({ ...about, ...event })
    const ran = spawnSync(process.execPath, [PROBE, resolve("dist", file), "claude-code"], { env, input })
    expect([ran.status, String(ran.stderr), String(ran.stdout)]).toEqual([0, "", ""])
  }
  hook("hook.js", { hook_event_name: "UserPromptSubmit" })
  const edit = { tool_name: "Edit", tool_use_id: "t", tool_input: { file_path: join(cwd, "a.txt") } }
  hook("hook.cjs", { hook_event_name: "PreToolUse", ...edit })
  const { files, own } = JSON.parse(readFileSync(loaded, "utf8")) as { files: string[]; own: string[] }
  const parts = files
    .filter((file) => file.startsWith(resolve("dist")))
    .map((file) => basename(file).replace(/-.{8}\./, "."))
  expect(parts.toSorted()).toEqual(["hook-event.cjs", "hook-home.cjs", "hook.cjs", "rolldown-runtime.cjs"])
  expect(own.filter((name) => [...LARGE, "perf_hooks"].includes(name))).toEqual([])
  const records = readFileSync(join(folder, `home/foreign/claude-code/${about.session_id}.jsonl`), "utf8")
    .trim()
    .split("\n")
  expect(records.length).toBe(3)
})

test.skipIf(!hasTmux())("a session is shown without the agent's turn, its tools or a provider", async () => {
  const pane = openPane(80, 24)
  const loaded = join(pane.cwd, "..", "loaded.json")
  pane.type(`${RETCON} run --model practice hello; ${RETCON} ls`)
  pane.press("Enter")
  await pane.sees("1 prompt")
  pane.type(`LOADED=${loaded} NODE_OPTIONS=${PROBE} ${RETCON} -c --model practice; echo left`)
  pane.press("Enter")
  await pane.sees(/─\n round 1/)
  pane.press("C-d")
  await pane.sees(/\nleft\n/)
  const { parts, own } = partsIn(loaded)
  expect(parts).toEqual(["the terminal", "the host", "snapshots of files", "a session's log"])
  expect(own.filter((name) => ["http", "https", "worker_threads"].includes(name))).toEqual([])
})
