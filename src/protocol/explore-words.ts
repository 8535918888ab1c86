// Attempts in words: one line while an attempt runs, and a table at the end.
import { clip, sanitiseLine } from "../model/text/sanitise.ts"
import type { AttemptState, CheckResult, ExploreAnswer } from "./explore.ts"

/** `a1 ▸ step 7 · npm test · $0.12` */
export function attemptLine(state: AttemptState): string {
  const { label, steps, doing, cost } = state
  const marks = { waiting: "·", preparing: "…", running: "▸", checking: "?", ended: state.ended === "done" ? "✓" : "–" }
  const said = state.state === "ended" ? endWords(state) : sanitiseLine(doing)
  const parts = [...(steps > 0 ? [`step ${steps}`] : []), said, ...(cost !== null && cost > 0 ? [dollars(cost)] : [])]
  return `${label} ${marks[state.state]} ${parts.filter((part) => part !== "").join(" · ")}`.trimEnd()
}

function endWords({ ended, problem }: AttemptState): string {
  return problem === undefined ? (ended ?? "interrupted") : `${ended ?? "failed"}: ${sanitiseLine(problem)}`
}

/** Ended attempts first, then those whose checks passed, then as they were started. */
export function inOrder(attempts: readonly AttemptState[]): AttemptState[] {
  const rank = ({ ended, checks }: AttemptState) =>
    (ended === "done" ? 0 : 2) + (checks.every(({ code }) => code === 0) ? 0 : 1)
  return attempts
    .map((each, i) => ({ each, i }))
    .sort((a, b) => rank(a.each) - rank(b.each) || a.i - b.i)
    .map(({ each }) => each)
}

const COLUMNS = ["attempt", "ended", "check", "files", "lines", "steps", "cost", "time"] as const

export function attemptTable(attempts: readonly AttemptState[]): string[] {
  const rows = inOrder(attempts).map((state) => {
    const { label, ended = state.state, checks, files, steps, cost, seconds } = state
    const lines = (files ?? []).reduce(
      (sum, { added = 0, removed = 0 }) => ({ added: sum.added + added, removed: sum.removed + removed }),
      { added: 0, removed: 0 },
    )
    const cells = [
      label,
      ended,
      checks.length === 0 ? "" : checks.map(checkWords).join(", "),
      files === undefined ? "" : `${files.length}`,
      files === undefined ? "" : `+${lines.added} −${lines.removed}`,
      `${steps}`,
      cost === null || cost === 0 ? "" : dollars(cost),
      `${Math.floor(seconds / 60)}:${`${seconds % 60}`.padStart(2, "0")}`,
    ]
    return { cells, remark: remarkOf(state) }
  })
  const widths = COLUMNS.map((name, i) => Math.max(name.length, ...rows.map(({ cells }) => cells[i]?.length ?? 0)))
  const used = COLUMNS.map((_, i) => i < 2 || rows.some(({ cells }) => cells[i] !== ""))
  const line = (cells: readonly string[]) =>
    cells
      .flatMap((cell, i) =>
        used[i] === true ? [i < 3 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)] : [],
      )
      .join("  ")
  return [
    line(COLUMNS).trimEnd(),
    ...rows.map(({ cells, remark }) => `${line(cells)}${remark === "" ? "" : `  ${remark}`}`.trimEnd()),
  ]
}

function checkWords({ code, before }: CheckResult): string {
  if (code === 0) return "✓"
  const how = code === null ? "✗ did not end" : `✗ exit ${code}`
  return before === undefined || before === 0 ? how : `${how}, failed before too`
}

const MOST_NAMED = 3

function remarkOf({ guarded, problem }: AttemptState): string {
  const named = guarded.slice(0, MOST_NAMED).map(sanitiseLine).join(", ")
  const more = guarded.length > MOST_NAMED ? ` and ${guarded.length - MOST_NAMED} more` : ""
  return [guarded.length === 0 ? "" : `changed ${named}${more}`, clip(sanitiseLine(problem ?? ""), 120)]
    .filter((part) => part !== "")
    .join("; ")
}

/** What else to know, one sentence each. */
export function exploredWords({ changed, held, left }: Extract<ExploreAnswer, { outcome: "explored" }>): string[] {
  const list = (paths: readonly string[]) =>
    `${paths.slice(0, MOST_NAMED).map(sanitiseLine).join(", ")}${paths.length > MOST_NAMED ? ` and ${paths.length - MOST_NAMED} more` : ""}`
  return [
    ...(held ? [] : ["There is no sandbox here: commands of attempts ran in the copies, but nothing kept them there."]),
    ...(changed.length === 0 ? [] : [`In your own folder these have changed meanwhile: ${list(changed)}.`]),
    ...(left.length === 0
      ? []
      : [`The copies did not have what is ignored: ${list(left)}. Name it in .worktreeinclude.`]),
  ]
}

function dollars(cost: number): string {
  return `$${cost < 0.995 ? cost.toFixed(2) : cost.toFixed(1)}`
}
