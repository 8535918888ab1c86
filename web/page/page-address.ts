// Which session, and which of its entries, the address names: after the #, so that no server sees it.
import { type EntryId, parseEntryId, parseSessionId, type SessionId } from "../../src/model/id.ts"

export interface PageAddress {
  session: SessionId | undefined
  /** The entry to scroll to. */
  entry: EntryId | undefined
}

export function parsePageAddress(hash: string): PageAddress {
  const [, kind, id, entry] = hash.split("/")
  const session = kind === "s" ? parseSessionId(id) : undefined
  return { session, entry: session === undefined ? undefined : parseEntryId(entry) }
}

export function sessionAddress(session: SessionId, entry?: EntryId | null): string {
  return `#/s/${session}${entry === undefined || entry === null ? "" : `/${entry}`}`
}
