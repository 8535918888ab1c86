// Slash commands about sessions: this one, and others.

import { RetconError } from "../../model/failure/retcon-error.ts"
import { parseSessionId, type SessionId } from "../../model/id.ts"
import { count } from "../../model/text/amounts.ts"
import { sanitiseLine } from "../../model/text/sanitise.ts"
import { pieces } from "../../model/text/visible.ts"
import { isOffered } from "../../protocol/can-continue.ts"
import { attemptTable, exploredWords, inOrder } from "../../protocol/explore-words.ts"
import { workIn } from "../../protocol/open-to-work.ts"
import type { ReadingRow } from "../../protocol/shapes.ts"
import { costLines } from "../words/cost-lines.ts"
import { type Command, type CommandServices, type CommandTerminal, invalid } from "./command.ts"

export const SESSION_COMMANDS: readonly Command[] = [
  {
    name: "resume",
    hint: "[id]",
    about: "continue another session",
    async run({ show, open, services }, name) {
      await (name === "" ? show.sessions() : open(await sessionNamed(services, name)))
    },
  },
  {
    name: "search",
    hint: "[words]",
    about: "find words in all sessions, and go on there",
    run: ({ show }, words) => show.search(words),
  },
  {
    name: "new",
    hint: "",
    about: "start a new session",
    async run(terminal) {
      await terminal.startNew()
      terminal.say("info", "This is a new session. Return to the previous one with /resume")
    },
  },
  {
    name: "title",
    hint: "TEXT",
    about: "name this session",
    async run(terminal, text) {
      if (text === "") throw invalid("A title is missing.", "Use: /title TEXT")
      if (terminal.session.agent === undefined) await terminal.keep()
      await terminal.session.title(text)
      terminal.say("info", `This session is called "${text}".`)
    },
  },
  {
    name: "label",
    hint: "NAME",
    about: "name this point, to come back to it",
    async run(terminal, name) {
      if (name === "") throw invalid("A name is missing.", "Use: /label NAME")
      if (terminal.session.agent === undefined) await terminal.keep()
      await terminal.session.label("head", name)
      terminal.say("info", `This point is called "${name}".`, `Come back with /goto ${name}, or see it in /tree`)
    },
  },
  {
    name: "split",
    hint: "[entry]",
    about: "continue in a copy of this conversation",
    async run(terminal, entry) {
      const { session } = await terminal.session.split(entry === "" ? undefined : entry)
      await terminal.open(session)
      terminal.say("info", "This is a copy; the original session stays as it is.")
    },
  },
  {
    name: "explore",
    hint: "[3] PROMPT",
    about: "several attempts at a prompt, each in a copy of the folder",
    run: explore,
  },
  {
    name: "export",
    hint: "[file]",
    about: "write the conversation to a file",
    async run({ say, session, services }, file) {
      say("info", await services.exportSession(session, file))
    },
  },
  {
    name: "context",
    hint: "",
    about: "which instructions, skills and commands the agent reads, which not, and why",
    async run({ session, print }) {
      const lines = readingLines(await session.reading())
      print((width) =>
        lines.flatMap((line) => pieces(line, width - 6).map((piece, i) => `${i === 0 ? "  " : "      "}${piece}`)),
      )
    },
  },
  {
    name: "cost",
    hint: "",
    about: "tokens and cost of this session",
    run: (terminal) => terminal.print((width) => costLines(terminal.status(), terminal.theme, width)),
  },
  {
    name: "doctor",
    hint: "",
    about: "check this session for damage",
    async run({ session, services, during, print }) {
      print(await during("Checking the session", services.doctor(session)))
    },
  },
]

/** By its id, or the end of one. */
async function sessionNamed({ host, cwd }: CommandServices, name: string): Promise<SessionId> {
  const whole = parseSessionId(name)
  if (whole !== undefined) return whole
  const { sessions } = await host.list({ cwd, agents: "all" })
  const ending = sessions.filter((each) => isOffered(each) && name.length >= 4 && each.id.endsWith(name.toLowerCase()))
  const [only] = ending
  if (only !== undefined && ending.length === 1) return only.id
  throw invalid(`No session here ends with "${name}", or several do.`, "List them with: /resume")
}

/** One line for each, what is used first. */
function readingLines(rows: readonly ReadingRow[]): string[] {
  if (rows.length === 0) return ["The agent reads no instructions, skills or commands here."]
  const used = rows.filter((row) => row.used)
  const left = rows.filter((row) => !row.used)
  return [
    ...(used.length === 0 ? [] : ["The agent reads, from the start of a conversation or when it is asked to:"]),
    ...used.map((row) => `  ${readingLine(row)}`),
    ...(left.length === 0 ? [] : ["Not used:"]),
    ...left.map((row) => `  ${readingLine(row)}`),
  ]
}

function readingLine({ kind, name, path, bytes, because }: ReadingRow): string {
  const what = name === undefined ? path : `/${name} (${kind}, ${path})`
  return sanitiseLine(`${what}${bytes === undefined ? "" : `, ${count(bytes, "byte")}`}: ${because}`)
}

/** The prompt, after how many attempts there shall be. Checks and limits are options of the command line. */
async function explore(terminal: CommandTerminal, typed: string): Promise<void> {
  const [, number, prompt = ""] = /^(?:(\d+)\s+)?([\s\S]*)$/.exec(typed.trim()) ?? []
  if (prompt === "") throw invalid("A prompt is missing.", "Use: /explore 3 PROMPT")
  await terminal.keep()
  const { session } = terminal
  const work = workIn(session).explore({ prompt, ...(number !== undefined && { attempts: Number(number) }) })
  const answer = await terminal.during("Exploring", work, () => void session.stop())
  if (answer.outcome === "refused") return terminal.fail(new RetconError(answer.failure))
  terminal.print(() => attemptTable(answer.attempts))
  for (const sentence of exploredWords(answer)) terminal.say("info", sentence)
  const [one, other] = inOrder(answer.attempts.filter(({ tip }) => tip !== null))
  if (one === undefined) return terminal.say("info", "No attempt has said anything: nothing was added.")
  const compare = other === undefined ? "" : `Compare them with /compare ${one.label} ${other.label}. `
  terminal.say(
    "info",
    `Each is a branch.`,
    `${compare}Take one with its files: /pick ${one.label}; /undo takes that back`,
  )
}
