// The settings that tell an agent which MCP servers to start.
import type { AgentHomes } from "../../formats/port.ts"
import type { Edited } from "../../hooks/port.ts"

/** How the server is started. */
export interface ServerProgram {
  command: string
  args: string[]
  env: Record<string, string>
}

/** Contract: pure but for `file`; all that is not ours stays, byte for byte. `text`: empty when there is no file. */
export interface ServerSettings {
  /** As people name it after `retcon mcp install`. */
  readonly name: string
  /** As retcon calls it; of one whose sessions it cannot read, the same. */
  readonly agent: string
  readonly title: string
  /** Of the person; with `cwd`, of the project. */
  file(homes: AgentHomes, cwd?: string): string
  add(text: string, program: ServerProgram): Edited
  remove(text: string): Edited
  /** The words with which it is started; undefined if it is not installed. */
  read(text: string): string[] | undefined
  /** What a person must know or do after it was installed. */
  readonly note: string
}

/** What the server is called in every agent's settings. */
export const SERVER = "retcon"

/** Whether these words start our server, of any version: a server of another program that has its name is not touched. */
export function startsOurs(words: readonly unknown[] | undefined): boolean {
  return (
    words?.includes("mcp") === true && words.some((word) => typeof word === "string" && /retcon|cli\.c?js/.test(word))
  )
}

export const NOT_OURS: Edited = { ok: false, problem: `it has another MCP server called ${SERVER}` }
