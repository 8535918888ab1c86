// The settings that tell an agent which MCP servers to start.
import type { AgentHomes } from "../../formats/port.ts"
import type { Edited } from "../../hooks/port.ts"

/** How the server is started. */
export interface ServerProgram {
  command: string
  args: string[]
  env: Record<string, string>
}

/** Contract: pure except for `file`; everything that is not ours stays, byte for byte. `text`: empty without a file. */
export interface ServerSettings {
  /** Its name in `retcon mcp install`. */
  readonly name: string
  /** retcon's own name for it; the same for one whose sessions retcon cannot read. */
  readonly agent: string
  readonly title: string
  /** The person's; with `cwd`, the project's. */
  file(homes: AgentHomes, cwd?: string): string
  add(text: string, program: ServerProgram): Edited
  remove(text: string): Edited
  /** The words that start it; undefined if it is not installed. */
  read(text: string): string[] | undefined
  /** What the person must know or do after the installation. */
  readonly note: string
}

/** The server's name in every agent's settings. */
export const SERVER = "retcon"

/** Whether these words start our server, of any version: another program's server with that name is not touched. */
export function startsOurs(words: readonly unknown[] | undefined): boolean {
  return (
    words?.includes("mcp") === true && words.some((word) => typeof word === "string" && /retcon|cli\.c?js/.test(word))
  )
}

export const NOT_OURS: Edited = { ok: false, problem: `it has another MCP server called ${SERVER}` }
