// docs/conformance.md: the table of the last full run, for people.
import { writeFileSync } from "node:fs"
import { CASES } from "./cases/all.ts"
import { PROGRAMS } from "./programs/all.ts"
import { explanation, type Result } from "./result.ts"

export function writeDocs(file: string, results: readonly Result[], at: Date): void {
  writeFileSync(file, page(results, at))
}

function page(results: readonly Result[], at: Date): string {
  const of = (program: string, name: string) => results.find((each) => each.program === program && each.case === name)
  const cell = (result: Result | undefined) => result?.verdict.is ?? "not tried"
  const rows = CASES.map(({ name }) => [name, ...PROGRAMS.map((program) => cell(of(program.name, name)))])
  const head = ["", ...PROGRAMS.map(({ name }) => name)]
  const table = alignedTable(head, rows)
  return `# The real programs agree

Whether retcon reads and writes sessions as other agents do is not a matter of opinion: the programs themselves are asked.
\`npm run conformance\` installs them from npm, makes real sessions with each in a network namespace of its own, in front of a fake
model, and compares what the program sends with what retcon shows. The last run was on ${at.toISOString().slice(0, 10)}, on
${process.platform}-${process.arch}, with

${PROGRAMS.map(({ name, version, npm }) => `- ${name} ${version}, from \`${npm}\``).join("\n")}

${table}

What each case says:

${CASES.map(({ name, means }) => `- **${name}**: ${means}.`).join("\n")}

Compared is every text, tool call and tool result, in order, character by character, apart from newlines at the end of a text.
Left out are system messages, reasoning, and what a program adds to its requests by itself:

${PROGRAMS.map(({ name, leavesOut }) => `- ${name}: ${leavesOut}.`).join("\n")}

${reasons(results)}Neovate is not on npm, and klaude-code and kimi-cli are Python programs: those are not asked.
`
}

/** As the formatter would write it. */
function alignedTable(head: string[], rows: string[][]): string {
  const widths = head.map((_, column) => Math.max(3, ...[head, ...rows].map((row) => row[column]?.length ?? 0)))
  const line = (cells: string[]) => `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("\n")
}

function reasons(results: readonly Result[]): string {
  const lines = results.flatMap((result) => {
    const { program, case: name, verdict } = result
    if (verdict.is === "yes") return []
    return [`- ${program}, ${name}: ${verdict.is}, ${explanation(result) ?? verdict.because}.`]
  })
  return lines.length === 0 ? "" : `Where it is not "yes":\n\n${lines.join("\n")}\n\n`
}
