// The sessions of every agent on this machine, ours among them, for programs that use the library.
import { type FileStore, fileStore } from "../store/file/file-store.ts"
import { type AnyStore, anyStore } from "./any-store.ts"
import { foreignStore } from "./foreign-store.ts"

export interface AgentsStoreOptions {
  /** retcon's own home. */
  home: string
  /** Where the agents keep their folders: a person's home, and the variables that name others. */
  person: { home: string; env: Readonly<Record<string, string | undefined>> }
  /** Milliseconds since 1970. */
  now?: () => number
}

/**
 * Contract: looking writes nothing into an agent's folder; a move appends what that agent's program follows. Sessions of other agents
 * take no entries, and are listed with `agents: "all"`.
 */
export function agentsStore(options: AgentsStoreOptions): FileStore {
  return everyAgentsStore(options)
}

/** The same, with what only the command line uses. */
export function everyAgentsStore({ home, person, now = () => Date.now() }: AgentsStoreOptions): AnyStore {
  const formats = async () => (await import("../formats/all/formats.ts")).FORMATS
  return anyStore(fileStore({ home, now }), foreignStore({ home, homes: person, formats, now }))
}
