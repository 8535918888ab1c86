// Reads the ```console blocks of a Markdown file: `$ command` (continued by `> ` lines), then what it prints.

/** One `$ command` of a block. Lines count from 1, in the Markdown file. */
export interface Step {
  line: number
  command: string
  expected: string[]
  /** What the command exits with: 0, unless the command ends in a comment `# exit N`. */
  exit: number
}

export interface Block {
  line: number
  /** False for ```console no-run, which is only looked at. */
  run: boolean
  steps: Step[]
}

export interface Fence {
  line: number
  info: string
  lines: string[]
}

/** Every fenced block, with what follows the backticks of its first line. */
export function fencesOf(markdown: string): Fence[] {
  const fences: Fence[] = []
  let open: (Fence & { indent: string; ticks: string }) | undefined
  for (const [index, text] of markdown.split("\n").entries()) {
    const [, indent = "", ticks = "", info = ""] = /^( *)(`{3,})(.*)$/.exec(text) ?? []
    if (open === undefined) {
      if (ticks) open = { line: index + 1, info: info.trim(), lines: [], indent, ticks }
    } else if (ticks.length >= open.ticks.length && info.trim() === "") {
      fences.push({ line: open.line, info: open.info, lines: open.lines })
      open = undefined
    } else open.lines.push(text.startsWith(open.indent) ? text.slice(open.indent.length) : text.trimStart())
  }
  return fences
}

export function consoleBlocks(markdown: string): Block[] {
  return fencesOf(markdown)
    .filter(({ info }) => /^console\b/.test(info))
    .map(({ line, info, lines }) => ({ line, run: !/\bno-run\b/.test(info), steps: stepsOf(lines, line + 1) }))
}

function stepsOf(lines: string[], firstLine: number): Step[] {
  const steps: Step[] = []
  let inCommand = false
  for (const [index, text] of lines.entries()) {
    const step = steps.at(-1)
    if (text.startsWith("$ ")) {
      steps.push({ line: firstLine + index, command: text.slice(2), expected: [], exit: 0 })
      inCommand = true
    } else if (step === undefined) throw new Error(`line ${firstLine + index}: a console block starts with "$ command"`)
    else if (inCommand && /^>( |$)/.test(text)) step.command += `\n${text.slice(2)}`
    else {
      step.expected.push(text)
      inCommand = false
    }
  }
  return steps.map((step) => ({ ...step, exit: Number(/# exit (\d+)\s*$/.exec(step.command)?.[1] ?? 0) }))
}
