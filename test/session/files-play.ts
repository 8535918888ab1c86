// Random work on a project, by an agent in spans and by a person at any time, then moves: for properties of files.
import { execFileSync } from "node:child_process"
import { mkdirSync } from "node:fs"
import { dirname, join } from "node:path"
import * as fc from "fast-check"
import type { EntryId } from "../../src/model/id.ts"
import type { OpenSpan } from "../../src/session/files/known/call-snapshots.ts"
import type { Session } from "../../src/session/session.ts"
import { answerDraft, promptDraft, toolDraft } from "../../src/session/state/draft.ts"
import type { Turn } from "../../src/session/state/turn.ts"
import { foldersAbove, type OnConflict } from "../../src/workspace/port.ts"
import { anyEdit, type Edit, edit, SHARED } from "../workspace/edits.ts"
import { makeProject, type Project } from "./project.ts"

/** One tool call. `meanwhile`: calls that begin and end while it runs. */
export type Call = { how: "named" | "command"; edits: Edit[]; meanwhile: readonly Edit[] }

export type Doing =
  | { do: "round"; calls: Call[] }
  | { do: "person"; edits: Edit[] }
  | { do: "back" | "undo" | "redo"; files: "keep" | "restore" }
  | { do: "goto" | "goto-prompt"; pick: number; files: "keep" | "restore" }
  | { do: "restore"; pick: number }
  | { do: "restore-paths"; pick: number; paths: string[] }
  | { do: "reopen" }
  /** Another session in the folder: its call begins if none is open, does these, and ends or goes on. */
  | { do: "other"; edits: Edit[]; ends: boolean }

export const PERSONS = "persons own"
const files = fc.constantFrom("keep" as const, "restore" as const, "restore" as const)

export const anyCall: fc.Arbitrary<Call> = fc.record({
  how: fc.constantFrom("named" as const, "command" as const),
  edits: fc.array(anyEdit(SHARED), { minLength: 1, maxLength: 3 }),
  meanwhile: fc.oneof({ weight: 3, arbitrary: fc.constant<Edit[]>([]) }, fc.array(anyEdit(SHARED), { maxLength: 2 })),
})
const round = fc.record({ do: fc.constant("round" as const), calls: fc.array(anyCall, { minLength: 1, maxLength: 2 }) })
const move = fc.oneof(
  fc.record({ do: fc.constantFrom("back" as const, "undo" as const, "redo" as const), files }),
  fc.record({ do: fc.constantFrom("goto" as const, "goto-prompt" as const), pick: fc.nat(9), files }),
  fc.record({ do: fc.constant("restore" as const), pick: fc.nat(9) }),
  fc.record({
    do: fc.constant("restore-paths" as const),
    pick: fc.nat(9),
    paths: fc.subarray(SHARED, { minLength: 1, maxLength: 3 }),
  }),
  fc.record({ do: fc.constant("reopen" as const) }),
)

const other = fc.record({
  do: fc.constant("other" as const),
  edits: fc.array(anyEdit(SHARED), { minLength: 1, maxLength: 2 }),
  ends: fc.boolean(),
})

/** The same, with another session whose calls may be open at any time. */
export function anyDoingsBeside(): fc.Arbitrary<Doing[]> {
  return fc.array(
    fc.oneof({ weight: 4, arbitrary: round }, { weight: 4, arbitrary: move }, { weight: 3, arbitrary: other }),
    { minLength: 8, maxLength: 16 },
  )
}

/** Person edits only where `person` allows it. */
export function anyDoings(person: string[]): fc.Arbitrary<Doing[]> {
  const own =
    person.length === 0
      ? []
      : [
          fc.record({
            do: fc.constant("person" as const),
            edits: fc.array(anyEdit(person), { minLength: 1, maxLength: 2 }),
          }),
        ]
  return fc.array(
    fc.oneof(
      { weight: 4, arbitrary: round },
      { weight: 4, arbitrary: move },
      ...own.map((arbitrary) => ({ weight: 3, arbitrary })),
    ),
    { minLength: 8, maxLength: 16 },
  )
}

export const anyOnConflict = fc.constantFrom<OnConflict>("refuse", "refuse", "ours", "write-conflicts")

export function makeRepository(): Project {
  const project = makeProject({ git: true })
  project.write("b.txt", "one\ntwo\nthree\nfour\nfive\n")
  project.write("d/x", "one\ntwo\nthree\nfour\nfive\nsix\n")
  mkdirSync(join(project.root, PERSONS))
  const git = (...words: string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...words], { cwd: project.root })
  git("add", "-A")
  git("commit", "-qm", "first")
  return project
}

let calls = 0

/** A round of the agent: its calls one after the other, each in a span. */
export async function playRound(
  session: Session,
  root: string,
  round: Call[],
  meanwhileElsewhere: () => void = () => undefined,
): Promise<void> {
  await session.append(promptDraft(`prompt ${++calls}`))
  await playCalls(session, root, round, meanwhileElsewhere)
}

/** What an agent does in a round, or in the rest of one. */
export async function playCalls(
  session: Session,
  root: string,
  round: Call[],
  meanwhileElsewhere: () => void = () => undefined,
): Promise<void> {
  for (const { how, edits, meanwhile } of round) {
    const outer = `call-${++calls}`
    const content = [{ type: "tool-call" as const, call: outer, name: "Any", input: {} }]
    const [entry] = await session.append(answerDraft(content))
    const span = await session.files.openSpan({
      entry: entry as EntryId,
      call: outer,
      ...(how === "named" ? { paths: edits.flatMap(pathsOf) } : {}),
    })
    for (const [i, each] of edits.entries()) {
      edit(root, each, "")
      const other = meanwhile[i]
      if (how === "command" && other !== undefined) await inner(session, root, entry as EntryId, other)
    }
    if (how === "command") meanwhileElsewhere()
    await session.files.closeSpan(span)
    await session.append(toolDraft([{ type: "tool-result", call: outer, output: "ok" }]))
  }
  await session.append(answerDraft("done"))
}

async function inner(session: Session, root: string, entry: EntryId, each: Edit): Promise<void> {
  const span = await session.files.openSpan({ entry, call: `call-${++calls}`, paths: pathsOf(each) })
  edit(root, each, "")
  await session.files.closeSpan(span)
}

/** What an edit may touch: it clears what stands in its way. */
function pathsOf(each: Edit): string[] {
  const named = each.do === "rename" ? [each.path, each.to] : [each.path]
  return [...new Set(named.flatMap((path) => [path, ...foldersAbove(path)]))].filter((path) => dirname(path) !== "")
}

/** Another session in the folder, one call of which may be open: a command, of a turn that runs. */
export class Other {
  #project: Project
  #session: Session | undefined
  #open: { turn: Turn; span: OpenSpan | undefined } | undefined

  constructor(project: Project) {
    this.#project = project
  }

  get isOpen(): boolean {
    return this.#open !== undefined
  }

  async begin(): Promise<void> {
    if (this.#open !== undefined) return
    this.#session ??= await this.#project.open()
    const turn = await this.#session.beginTurn()
    const call = `call-${++calls}`
    const content = [{ type: "tool-call" as const, call, name: "Bash", input: {} }]
    const [, entry] = await turn.append([promptDraft(`other ${calls}`), answerDraft(content)])
    this.#open = { turn, span: await this.#session.files.openSpan({ entry: entry as EntryId, call }) }
  }

  async end(): Promise<void> {
    if (this.#open === undefined) return
    await this.#session?.files.closeSpan(this.#open.span)
    await this.#open.turn.append(answerDraft("done"))
    await this.#open.turn.end()
    this.#open = undefined
  }
}
