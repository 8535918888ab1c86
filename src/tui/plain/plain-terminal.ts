// What slash commands ask of the terminal, line by line: pages are printed, and what must be settled first is a question or an option.

import { lastAsked } from "../../history/tree/asked.ts"
import { liveTips } from "../../history/tree/live-tips.ts"
import { shortIds } from "../../history/tree/short-ids.ts"
import { NONE, type Row } from "../../history/tree/tree.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import { shortId } from "../../model/id.ts"
import { plainText } from "../../model/record/record.ts"
import { ago, count, LEFT_BY_BACKTRACK } from "../../model/text/amounts.ts"
import { clip, sanitiseLine } from "../../model/text/sanitise.ts"
import { comparedLines } from "../../protocol/compare-words.ts"
import type { HostSession, SessionContents, WorkSession } from "../../protocol/host.ts"
import { copyOf, workIn } from "../../protocol/open-to-work.ts"
import { ownRequests } from "../../protocol/own-requests.ts"
import type { Command, CommandServices, CommandTerminal } from "../commands/command.ts"
import { COMMANDS } from "../commands/commands.ts"
import { searchLines } from "../overlay/sessions/search.ts"
import { type TreeLine, treeLines } from "../overlay/tree/tree-lines.ts"
import { treeRow } from "../overlay/tree/tree-row.ts"
import { makeTheme } from "../terminal/theme.ts"
import { errorWords, tellMove } from "./plain-messages.ts"
import { type PlainAsker, plainMove } from "./plain-move.ts"
import { resumeLines } from "./plain-sessions.ts"
import type { PlainUnsent } from "./plain-unsent.ts"

const WIDTH = 100
/** One answer below the other: that reads well aloud. */
const NARROW = 80
const theme = makeTheme({ colours: false })

export interface PlainTerminalDeps extends CommandServices, Pick<PlainAsker, "asks" | "confirm"> {
  now: () => number
  say: (text: string) => void
  unsent: PlainUnsent
  /** The session that is open now. */
  session: () => HostSession
  /** Leaves it for another. */
  change: (next: HostSession) => Promise<void>
}

export function plainTerminal(parts: PlainTerminalDeps): CommandTerminal {
  const { say, host, cwd, now } = parts
  const session = parts.session()
  const own = ownRequests(session)
  const list = (lines: Iterable<string>) => {
    for (const line of lines) say(line)
  }
  return {
    theme,
    session,
    status: () => parts.session().status(),
    changed: () => undefined,
    say: (_, text, hint = "") => say(`${text} ${hint}`.trimEnd()),
    print: (lines) => say(lines(WIDTH).join("\n")),
    fail: (error) => say(errorWords(error)),
    during: (_, work) => work,
    move(move) {
      const tell = (answer: Parameters<typeof tellMove>[2]) => tellMove(session, move.did, answer, say)
      return plainMove({ ...parts, own, tell }, move)
    },
    keep: async () => void (await toWork(parts)),
    startNew: async () => parts.change(await host.create({ cwd })),
    open: async (id) => parts.change(await host.open(id)),
    show: {
      async rewind() {
        list(await promptLines(session))
        say("Go back to one with: /goto @N")
      },
      tree: async () => list(treeText(session, now())),
      branches: async () => list(branchesText(session, now())),
      async diff(entry) {
        const answer = await session.diff(entry === "" ? {} : { from: entry })
        if (answer.outcome === "diff") say(answer.patch === "" ? "No file differs." : answer.patch)
        else say("There is nothing to compare: files are not covered here.")
      },
      async compare(request) {
        const answer = await session.compare(request)
        if (answer.outcome === "compared") list(comparedLines(answer, NARROW).map(({ text }) => text))
        else say(errorWords(new RetconError(answer.failure)))
      },
      sessions: async () => list(await resumeLines(parts)),
      async search(words) {
        if (words === "") say("Use: /search WORDS")
        else list(searchLines(await parts.find({ text: words, limit: 5, cwd })))
      },
      async models(offered) {
        if (offered !== undefined) {
          for (const { value, about } of offered.items) say(`${value === offered.now ? "●" : " "} ${value}: ${about}`)
          say("Choose one with: /model NAME")
          return undefined
        }
        say(`The model is ${session.status().model}. Choose one with: /model provider/name`)
        return undefined
      },
      help: async () => say(HELP),
    },
    services: parts,
    quit: () => undefined,
  }
}

/** Another agent's session that its own program cannot continue here continues in a copy. */
export async function toWork({ session, host, cwd, say, change }: PlainTerminalDeps): Promise<WorkSession> {
  const open = session()
  if (open.work !== undefined || open.agent === undefined) return workIn(open)
  const { session: copy, copied } = await copyOf(host, open, cwd)
  if (copied !== undefined) say(copied)
  await change(copy)
  return copy
}

/** What is a key on the screen. */
export function plainCommands(parts: PlainTerminalDeps, send: (text: string) => Promise<void>): readonly Command[] {
  const { session, unsent } = parts
  return [
    { ...PROMPTS, run: async () => (await promptLines(session())).forEach(parts.say) },
    { ...STOP, run: () => session().stop() },
    {
      ...SEND,
      run() {
        const text = unsent.take()
        return text === undefined ? parts.say("There is no unsent text.") : send(text)
      },
    },
  ]
}

const PROMPTS = { name: "prompts", hint: "", about: "list your prompts" }
const STOP = { name: "stop", hint: "", about: "stop the agent; what it has not received yet comes back" }
const SEND = { name: "send", hint: "", about: "send what came back" }

const HELP = [
  "Type a prompt and press Enter. A line that ends with a backslash continues on the next one. !COMMAND runs a command.",
  ...[...COMMANDS, PROMPTS, STOP, SEND].map(
    ({ name, hint, about }) => `/${name}${hint === "" ? "" : ` ${hint}`}: ${about.replace(/ \(or [^)]*\)$/, "")}`,
  ),
  "Moves with files: --files restore, --keep PATH, --only-certain; where both changed the same lines: --ours, --theirs, --write-conflicts.",
].join("\n")

/** A message typed while the agent worked, or left by its Backtrack, has no number: use its id to go back to it. */
async function promptLines(session: SessionContents): Promise<string[]> {
  const ids = shortIds(session.history)
  return (await session.rounds()).flatMap(({ prompt, round, passed, text, steer }) => [
    passed === true
      ? `- ${ids.of(session.history.rowOf(prompt))}: ${sanitiseLine(text)} (${LEFT_BY_BACKTRACK})`
      : `${round}: ${sanitiseLine(text)}`,
    ...steer.map((each) => `   + ${ids.of(session.history.rowOf(each.entry))}: ${sanitiseLine(each.text)}`),
  ])
}

function treeText(session: SessionContents, now: number): string[] {
  const { history, head } = session
  const labels = new Map([...session.labels()].map(([id, name]) => [history.rowOf(id), name]))
  const request = {
    view: "prompts" as const,
    head,
    labelled: new Set(labels.keys()),
    folded: new Set<number>(),
    lanes: 8,
  }
  const lines = treeLines(history, request)
  const view = { history, theme, now, head, labels, sessions: new Map() }
  const size = lines.upTo(1_000)
  const all = Array.from({ length: size }, (_, at) => lines.at(at))
  const ids = shortIds(history)
  const drawn = all.flatMap((line) => {
    if (line === undefined) return []
    const row = rowOf(line)
    const id = (row === NONE ? "" : ids.of(row)).padEnd(ids.width)
    return [`${id} ${treeRow(view, new Map(), line, false, WIDTH - ids.width - 1)}`.trimEnd()]
  })
  return [...drawn, "Go to the end of one with: /goto ID"]
}

/** The entry that a line of the tree ends with. */
function rowOf(line: TreeLine): Row {
  if (line.type === "stretch") return line.stretch.last
  if (line.type === "entry") return line.row
  return line.type === "folded" ? line.branch.newest : NONE
}

function branchesText(session: SessionContents, now: number): string[] {
  const { history, head } = session
  const tips = liveTips(history, head).reverse()
  const told = tips.map((tip) => {
    const row = lastAsked(history, tip)
    const record = row === NONE ? undefined : history.record(row)
    const text = record?.type === "message" ? (record.display ?? plainText(record.content)) : "(no prompt)"
    const here = tip === head ? " (here)" : ""
    return `${shortId(history.id(tip))}${here}: ${clip(sanitiseLine(text), 70)}, ${ago(history.record(tip)?.at ?? "", now)}`
  })
  return [...told, `${count(tips.length, "branch", "branches")}. Go to one with: /goto ID`]
}
