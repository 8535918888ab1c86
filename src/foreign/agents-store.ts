// The sessions of every agent on this machine, ours among them, for programs that use the library.
import { FORMATS } from "../formats/all/formats.ts"
import { type FileStore, fileStore } from "../store/file/file-store.ts"
import { type AnyStore, anyStore } from "./any-store.ts"
import { foreignStore } from "./foreign-store.ts"

export interface AgentsStoreOptions {
  /** retcon's own home. */
  home: string
  /** Where agents keep their folders: the person's home directory, and the environment variables that point elsewhere. */
  person: { home: string; env: Readonly<Record<string, string | undefined>> }
  /** Milliseconds since 1970. */
  now?: () => number
}

/**
 * Contract: reading writes nothing into an agent's folder; a move appends only lines that the agent's own program understands.
 * Other agents' sessions accept no entries, and are listed only with `agents: "all"`.
 */
export function agentsStore(options: AgentsStoreOptions): FileStore {
  return everyAgentsStore(options)
}

/** The same store, with the parts that only the command line uses. */
export function everyAgentsStore({ home, person, now = () => Date.now() }: AgentsStoreOptions): AnyStore {
  return anyStore(fileStore({ home, now }), foreignStore({ home, homes: person, formats: FORMATS, now }))
}
