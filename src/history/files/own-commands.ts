// The person's own commands (`!cmd`): if one ran during a call of the agent, the changes may be the person's.
import { KIND } from "../../model/record/record.ts"
import { chain, type History } from "../tree/tree.ts"
import type { CallSpan } from "./call-spans.ts"

export interface OwnCommand {
  from: string
  until: string
  paths: ReadonlySet<string>
}

/** Those that ended after `since`. Contract: costs the snapshots since then. */
export function ownCommands(history: History, since: string): OwnCommand[] {
  const found: OwnCommand[] = []
  for (const row of chain(history, KIND.snapshot)) {
    const record = history.record(row)
    if (record?.type !== "snapshot") continue
    if (record.at < since) break
    if (record.entry !== null || record.since === undefined) continue
    const paths = new Set(record.changes?.map(({ path }) => path))
    found.push({ from: record.since.at, until: record.at, paths })
  }
  return found
}

/** Paths that changed while both a command of the agent and one of the person ran: either may have changed them. */
export function perhapsOwn(span: CallSpan, commands: readonly OwnCommand[]): string[] {
  const beside = commands.filter(({ from, until }) => from < span.until && until > span.from)
  if (beside.length === 0 || !span.whole) return []
  return span.changes.filter(({ path }) => beside.some(({ paths }) => paths.has(path))).map(({ path }) => path)
}
