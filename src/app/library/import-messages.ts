// Turns another program's plain messages, or retcon's own export, into a session of this directory.
import type { ExportedTree } from "../../formats/plain/exported.ts"
import type { PlainDraft } from "../../formats/plain/message.ts"
import type { PlainMessages } from "../../formats/plain/read.ts"
import { titleOf } from "../../history/words/title.ts"
import type { EntryId } from "../../model/id.ts"
import { isPrompt } from "../../model/record/prompt.ts"
import type { Entry, MessageRecord } from "../../model/record/record.ts"
import { importTree } from "../../session/import-tree.ts"
import { createSession, type Session } from "../../session/session.ts"
import { discarded } from "../../store/port.ts"
import type { AppDeps } from "../port/app-deps.ts"

export type ReadMessages = Extract<PlainMessages, { ok: true }>

/** What the bytes contain, or what is wrong with them. */
export async function readMessages(bytes: Uint8Array): Promise<PlainMessages> {
  // Imported here: no other command, nor the terminal, needs the chunk with the formats to start.
  const { readPlain } = await import("../../formats/plain/read.ts")
  return readPlain(bytes)
}

/** Contract: all or nothing. The caller closes the session. */
export function importMessages(deps: AppDeps, read: ReadMessages): Promise<Imported> {
  if ("tree" in read) return fromTree(deps, read.tree)
  return read.parents === undefined
    ? fromMessages(deps, read.drafts)
    : fromTree(deps, treeOf(deps, read.drafts, read.parents))
}

export interface Imported {
  session: Session
  facts: { messages: number; prompts: number; branches: number; damaged: number }
}

/** Contract: all or nothing. */
async function fromMessages(deps: AppDeps, drafts: PlainDraft[]): Promise<Imported> {
  const session = await createSession(deps.store, { cwd: deps.cwd, made: deps.made }, deps.sessionOptions)
  try {
    await session.append(drafts, { durable: true })
  } catch (error) {
    return discarded(deps.store, session, error)
  }
  return { session, facts: { ...countsOf(drafts), branches: 1, damaged: 0 } }
}

/** Each message below its parent; the last one in the file is the head. */
function treeOf(
  { sessionOptions }: AppDeps,
  drafts: readonly PlainDraft[],
  parents: readonly (number | null)[],
): ExportedTree {
  const at = sessionOptions.now()
  const ids = drafts.map(() => sessionOptions.ids.entry())
  const records = drafts.map((draft, i) => {
    const above = parents[i] ?? null
    const record: Entry = {
      ...draft,
      id: ids[i] as EntryId,
      parent: above === null ? null : (ids[above] as EntryId),
      at,
    }
    return { record, raw: "" }
  })
  return { records, head: ids.at(-1) ?? null, labels: [], title: undefined, session: undefined, damaged: 0 }
}

async function fromTree(deps: AppDeps, tree: ExportedTree): Promise<Imported> {
  const from = tree.session && { session: tree.session, entry: tree.head, as: "import" as const }
  const wanted = { cwd: deps.cwd, made: deps.made, ...(from && { from }) }
  const session = await importTree(deps.store, wanted, tree, deps.sessionOptions)
  if (tree.title !== undefined && tree.title !== titleOf(session.history)) {
    await session.configure("title", tree.title)
  }
  const counts = countsOf(tree.records.map(({ record }) => record))
  return { session, facts: { ...counts, branches: session.history.tips().length, damaged: tree.damaged } }
}

function countsOf(records: readonly { type: string }[]): { messages: number; prompts: number } {
  const messages = records.filter((record): record is MessageRecord => record.type === "message")
  return { messages: messages.length, prompts: messages.filter((message) => isPrompt(message)).length }
}
