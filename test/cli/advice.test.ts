// Advice is data: each front end puts it in commands that can be typed there, and in no other's.
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { makeProgram } from "../../src/cli/program.ts"
import { type AdviceStep, adviceText } from "../../src/model/failure/failure.ts"
import { wordsFor } from "../../src/model/failure/failure-words.ts"
import { shellAdvice } from "../../src/protocol/shell-advice.ts"
import { COMMANDS } from "../../src/tui/commands/commands.ts"
import { plainAdvice, terminalAdvice } from "../../src/tui/words/advice-words.ts"
import { pageStep } from "../../web/show/advice.ts"
import { FAILURES } from "../model/failures.ts"

/** One of each: a new step without a sample does not compile. */
const STEPS: { [Name in AdviceStep["do"]]: Extract<AdviceStep, { do: Name }> } = {
  back: { do: "back" },
  undo: { do: "undo" },
  goto: { do: "goto", entry: "@1" },
  split: { do: "split" },
  omit: { do: "omit", entry: "abcdef" },
  files: { do: "files", choice: "keep" },
  resolve: { do: "resolve", choice: "ours" },
  "even-if-running": { do: "even-if-running" },
  log: { do: "log" },
  show: { do: "show" },
  ops: { do: "ops" },
  attempts: { do: "attempts", way: "clean" },
  notes: { do: "notes" },
  diff: { do: "diff", entry: "ENTRY" },
  doctor: { do: "doctor" },
  sessions: { do: "sessions" },
  resume: { do: "resume", session: "abcdef" },
  "choose-session": { do: "choose-session" },
  "open-file": { do: "open-file", file: "FILE" },
  "restore-session": { do: "restore-session", id: "01890000-0000-7000-8000-000000000001" },
  "restore-kept": { do: "restore-kept", id: "553265" },
  import: { do: "import", file: "FILE" },
  moved: { do: "moved", folder: "/home/you/old place" },
  model: { do: "model", name: "practice" },
  think: { do: "think", level: "low" },
  "max-steps": { do: "max-steps" },
  config: { do: "config", key: "workspace.allowAny", value: "true" },
  "install-hooks": { do: "install-hooks", agent: "codex" },
  gc: { do: "gc" },
}

const ADVICE = [
  ...FAILURES.map((failure) => [failure.code, wordsFor(failure).advice] as const),
  ...Object.values(STEPS).map((step) => [step.do, ["Do this: ", step]] as const),
]

const program = makeProgram({
  version: "",
  write: () => undefined,
  start: () => Promise.reject(new Error("nothing is started")),
  done: () => undefined,
})
const SHELL_COMMANDS = new Set(program.commands.map((command) => command.name()))
const SLASH_COMMANDS = new Set(COMMANDS.map(({ name }) => name))

const IN_SHELL = /retcon [^()]+ \(in a shell\)/g
/** Moves in --plain take these, too. */
const MOVE_OPTION = /--(?:files (?:keep|restore)|ours|theirs|write-conflicts|even-if-running)/g
const shellCommands = (text: string) => [...text.matchAll(/(?<=: )retcon (\w+)/g)].map(([, name]) => name ?? "")
/** Anything that only a shell understands. */
const shellWords = (text: string) =>
  [...text.matchAll(/\bretcon (\w+)|--[a-z-]+| -s\b/g)].filter(
    ([, name]) => name === undefined || SHELL_COMMANDS.has(name),
  )
const slashCommands = (text: string) =>
  [...text.matchAll(/(?:^|[ "])\/([a-z]+)(?![\w/])/g)].map(([, name]) => name ?? "")

describe.each(ADVICE)("%s", (_, advice) => {
  test("the shell gets shell commands", () => {
    const text = shellAdvice(advice)
    expect(slashCommands(text)).toEqual([])
    for (const name of shellCommands(text)) expect(SHELL_COMMANDS).toContain(name)
  })

  test("the terminal gets its own commands, or is told that it takes a shell", () => {
    const text = terminalAdvice(advice)
    expect(shellWords(text.replace(IN_SHELL, ""))).toEqual([])
    for (const name of slashCommands(text)) expect(SLASH_COMMANDS).toContain(name)
  })

  test("--plain gets commands that it knows, or is told that it takes a shell", () => {
    const text = plainAdvice(advice)
    expect(shellWords(text.replace(IN_SHELL, "").replace(MOVE_OPTION, ""))).toEqual([])
    for (const name of slashCommands(text)) expect(SLASH_COMMANDS).toContain(name)
  })

  test("the page gets its own buttons and keys, or is told that it takes a shell", () => {
    const text = adviceText(advice, pageStep)
    expect(shellWords(text.replace(IN_SHELL, ""))).toEqual([])
    expect(slashCommands(text)).toEqual([])
  })
})

test("a folder with a space in its name is one word of the shell", () => {
  expect(shellAdvice([STEPS.moved])).toBe("retcon moved '/home/you/old place'")
})

test("what takes a shell is the same command that the shell would get", () => {
  for (const step of [STEPS.gc, STEPS.moved, STEPS.config])
    for (const text of [terminalAdvice([step]), plainAdvice([step]), pageStep(step)])
      expect(text).toBe(`${shellAdvice([step])} (in a shell)`)
  expect(pageStep(STEPS.think)).toBe("retcon --think low (in a shell)")
})

test("what takes a shell names the session on the screen, which need not be the latest one there", () => {
  for (const step of [STEPS.omit, STEPS.diff])
    expect(pageStep(step, "7b0c26")).toBe(`${shellAdvice([step], " -s 7b0c26")} (in a shell)`)
  expect(plainAdvice([STEPS.ops], "0195b3c4-0000-7000-8000-00007b0c26ff")).toMatch(
    /^retcon ops -s [0-9a-f]+ \(in a shell\)$/,
  )
})

test("nothing but the command line writes a command of the shell into a text", () => {
  const below = [
    "model",
    "history",
    "store",
    "workspace",
    "session",
    "formats",
    "provider",
    "agent",
    "protocol",
    "runner",
  ]
  const command = new RegExp(`["\`' ]retcon (?:${[...SHELL_COMMANDS].join("|")})\\b(?! \\d)`)
  const found = [...below, "app", "tui"].flatMap((folder) =>
    readdirSync(join("src", folder), { recursive: true, encoding: "utf8" })
      // The configuration, and what is not protected, are explained in the command line's words, wherever that is read.
      .filter((name) => name.endsWith(".ts") && name !== "shell-advice.ts" && !/^(?:config|protection)\//.test(name))
      .flatMap((name) => readFileSync(join("src", folder, name), "utf8").split("\n"))
      .filter((line) => command.test(line) && !/^\s*(?:\/\/|\/?\*)/.test(line)),
  )
  expect(found).toEqual([])
})
