// docs/conformance.md: the table of the last full run, for people.
import { writeFileSync } from "node:fs"
import { CASES } from "./cases/all.ts"
import { type KnownResults, resultOf } from "./known-results.ts"
import { PROGRAMS } from "./programs/all.ts"
import type { Program } from "./programs/program.ts"
import type { Result } from "./result.ts"

export function writeDocs(file: string, known: KnownResults): void {
  writeFileSync(file, page(known))
}

function page(known: KnownResults): string {
  const results = PROGRAMS.flatMap((program) => CASES.flatMap((each) => resultOf(known, program.name, each.name) ?? []))
  const cell = (result: Result | undefined) => result?.verdict.is ?? "not tried"
  const rows = CASES.map(({ name }) => [name, ...PROGRAMS.map((program) => cell(resultOf(known, program.name, name)))])
  const head = ["", ...PROGRAMS.map(({ name }) => name)]
  const table = alignedTable(head, rows)
  return `# The real programs agree

The programs themselves decide whether retcon reads and writes their sessions correctly.
\`npm run conformance\` installs them from npm, runs each in its own network namespace against a fake model to create real sessions,
and compares what the program sends with what retcon shows. The last runs were on ${process.platform}-${process.arch}, with

${PROGRAMS.map(({ name, version, npm }) => `- ${name} ${version}, from \`${npm}\`, on ${known[name]?.at ?? "no day yet"}`).join("\n")}

${table}

What each case checks:

${CASES.map(({ name, means }) => `- **${name}**: ${means}.`).join("\n")}

Everything that is sent is compared, in order, character by character: system messages, texts, tool calls and tool results; not
newlines at the end of a text, and not reasoning. What a program adds to its requests by itself is left out only if it is on this list:

${PROGRAMS.map(listOf).join("\n")}

${reasons(results)}Neovate is not on npm, and klaude-code and kimi-cli are Python programs: those are not run.
retcon only reads the sessions of all others; [formats](formats/README.md) says of each whether its program was tried.
`
}

function listOf({ name, adds, rewords = [] }: Program): string {
  return `- ${name}: ${[adds.map(({ what }) => what).join("; "), ...rewords.map(capital)].join(". ")}.`
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}

/** As the formatter would print it. */
function alignedTable(head: string[], rows: string[][]): string {
  const widths = head.map((_, column) => Math.max(3, ...[head, ...rows].map((row) => row[column]?.length ?? 0)))
  const line = (cells: string[]) => `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("\n")
}

function reasons(results: readonly Result[]): string {
  const lines = results.flatMap(({ program, case: name, verdict }) =>
    verdict.is === "yes"
      ? []
      : [`- ${program}, ${name}: ${verdict.is}, ${verdict.because.replace(/\s+/g, " ").replace(/\.$/, "")}.`],
  )
  return lines.length === 0 ? "" : `Reasons for everything that is not "yes":\n\n${lines.join("\n")}\n\n`
}
