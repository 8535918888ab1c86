// The table of docs/hooks.md: what a restore brings back, names and leaves, for each way in which files change. Each row of Claude
// Code is a session with one of each; what the answer says of a file is its cell. Other agents with hooks: `npm run conformance`;
// without: `said-other-agents.test.ts`.
import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { gapLines } from "../../../src/model/move/gap-words.ts"
import type { Moved } from "../../../src/model/move/moved.ts"
import { planLines } from "../../../src/tui/overlay/move/plan-lines.ts"
import { makeTheme } from "../../../src/tui/terminal/theme.ts"
import { recordedWords } from "../../../web/move/moved-words.ts"
import { ClaudeAtWork } from "./claude-at-work.ts"
import { bash, edit } from "./claude-tools.ts"

type Cell = "comes back" | "partly" | "named" | "counted" | "its calls" | "stays" | "refused"

const COLUMNS = ["edit tool", "shell command", "sub-agent", "background", "you"] as const

interface Row {
  agents: string
  hooks: "hooks" | "no hooks"
  cells: readonly Cell[]
  /** How a session of Claude Code is of this row. */
  claude?: { hooked: boolean; tells: boolean }
  /** Programs of the conformance suite whose case with hooks shows it. */
  programs?: readonly string[]
}

const TABLE: readonly Row[] = [
  {
    agents: "Claude Code, `claude -p`, Codex, Gemini CLI, opencode",
    hooks: "hooks",
    cells: ["comes back", "comes back", "comes back", "named", "stays"],
    claude: { hooked: true, tells: false },
    programs: ["claude-code", "claude-code-sdk", "codex", "gemini-cli", "opencode"],
  },
  {
    agents: "Claude Code and `claude -p` from 2.1.325 on, in a git repository",
    hooks: "no hooks",
    cells: ["comes back", "comes back", "its calls", "counted", "stays"],
    claude: { hooked: false, tells: true },
  },
  {
    agents: "Claude Code and `claude -p`, otherwise; Gemini CLI",
    hooks: "no hooks",
    cells: ["comes back", "counted", "its calls", "counted", "stays"],
    claude: { hooked: false, tells: false },
  },
  { agents: "Codex, Kimi Code", hooks: "no hooks", cells: ["partly", "counted", "its calls", "counted", "stays"] },
  { agents: "Neovate Code, Qwen Code", hooks: "no hooks", cells: ["partly", "counted", "counted", "counted", "stays"] },
  {
    agents: "All others",
    hooks: "no hooks",
    cells: ["refused", "refused", "refused", "refused", "refused"],
  },
]

/** Programs of the conformance suite that fill every cell themselves. */
const AT_WORK = ["claude-code", "claude-code-latest", "claude-code-sdk", "codex", "codex-latest", "gemini-cli"]

/** Long enough that the lines around a change tell where it was. */
const [ONE, TWO] = ["one", "two"].map((word) => `${"above\n".repeat(9)}${word}\n${"below\n".repeat(9)}`) as [
  string,
  string,
]
const PATHS = ["edited.txt", "command.txt", "agent.txt", "late.txt", "own.txt"]

test.each(TABLE.flatMap(({ agents, hooks, cells, claude }) => (claude ? [{ agents, hooks, cells, claude }] : [])))(
  "$agents, $hooks",
  async ({ cells, claude: { hooked, tells } }) => {
    const bench = new ClaudeAtWork()
    bench.hooked = hooked
    for (const path of PATHS) bench.put(path, ONE)
    const inBackground = { command: "sleep 9 && change late.txt", run_in_background: true }
    await bench.round("go", [
      edit(bench.cwd, "edited.txt", "one", "two"),
      bash(bench.cwd, { "command.txt": TWO }, { tells }),
      { name: "Agent", input: { prompt: "x" }, does: () => bench.put("agent.txt", TWO) },
      { name: "Bash", input: inBackground, does: () => undefined, result: "Command running in background with ID: b1" },
    ])
    for (const path of ["late.txt", "own.txt"]) bench.put(path, TWO)
    const asked = ["restore", "@1", "-s", bench.name, "--dry-run"]
    const moved = JSON.parse((await bench.run([...asked, "--json"])).out) as Moved
    // This sub-agent has left no file of its own.
    const wanted = cells.map((cell) => (cell === "its calls" ? "counted" : cell))
    expect(PATHS.map((path, i) => cellOf(moved, path, COLUMNS[i] ?? ""))).toEqual(wanted)
    expectSaid(moved, (await bench.run(asked)).out)
    await bench.done(`restore @1 -s ${bench.name}`)
    const now = cells.map((cell) => (cell === "comes back" ? ONE : TWO))
    expect(PATHS.map((path) => bench.get(path))).toEqual(now)
  },
)

/** What the answer says of a file. Of your own, with hooks, that it stays because you, or something that still ran, changed it. */
function cellOf({ files, kept, gaps }: Moved, path: string, column: string): Cell {
  const rounds = gaps?.rounds ?? []
  if (files.some((file) => file.path === path)) return "comes back"
  if (column === "you") return "stays"
  if (kept.some((file) => file.path === path) || rounds.some(({ named }) => named.includes(path))) return "named"
  const kind = column === "sub-agent" ? "agents" : "commands"
  return rounds.some((round) => round[kind] > 0) ? "counted" : "stays"
}

/** Each front end says it in the same words. */
function expectSaid(moved: Moved, out: string): void {
  const flat = (text: string) => text.replace(/\s+/g, " ")
  const terminal = planLines(makeTheme({ colours: false }), "files", moved, 100).join(" ")
  for (const line of gapLines(moved)) {
    expect(flat(out)).toContain(line)
    expect(flat(terminal)).toContain(line)
    expect(recordedWords(moved)).toContain(line)
  }
  expect(out.includes("retcon hooks install claude-code")).toBe(moved.gaps !== undefined)
}

test("the table in the docs is this one, and the real programs agree", () => {
  const words: Record<Cell, string> = {
    "comes back": "comes back",
    partly: "comes back, or stays, named",
    named: "stays, named",
    counted: "stays, counted",
    "its calls": "as its own calls, counted",
    stays: "stays",
    refused: "refused",
  }
  const rows = [
    ["agent", "", ...COLUMNS],
    ...TABLE.map(({ agents, hooks, cells }) => [agents, hooks, ...cells.map((cell) => words[cell])]),
  ]
  const wide = rows[0]?.map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0))) ?? []
  const line = (cells: readonly string[]) => `| ${cells.map((cell, i) => cell.padEnd(wide[i] ?? 0)).join(" | ")} |`
  const [head = [], ...rest] = rows
  const table = [line(head), `| ${wide.map((width) => "-".repeat(width)).join(" | ")} |`, ...rest.map(line)].join("\n")
  expect(readFileSync("docs/hooks.md", "utf8")).toContain(table)
  const results = JSON.parse(readFileSync("conformance/results.json", "utf8"))
  const agree = (programs: readonly string[], name: string, wanted: "yes" | "refused" = "yes") =>
    expect(programs.map((program) => [program, results[program]?.cases[name]])).toEqual(
      programs.map((program) => [program, wanted === "yes" ? wanted : expect.objectContaining({ is: wanted })]),
    )
  agree(
    TABLE.flatMap(({ programs = [] }) => programs),
    "files with hooks",
  )
  agree([...AT_WORK, "opencode"], "what comes back, hooks")
  for (const name of ["what comes back, no hooks", "what comes back, -p"]) {
    agree([...AT_WORK, "kimi-code"], name)
    agree(["opencode", "pi"], name, "refused")
  }
})
