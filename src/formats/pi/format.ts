// Sessions of pi: one file per session, a tree in which each entry names its parent. The smallest format: copy it for another.
import { join } from "node:path"
import { sessionIdOf } from "../ids.ts"
import type { AgentHomes, Format, Glance, Look, SessionPlace } from "../port.ts"
import { filesIn, foldersIn } from "../shared/folders.ts"
import { linesIn, textField } from "../shared/json-line.ts"
import { nameInFile, piHeader } from "./header.ts"
import { promptText } from "./message.ts"
import { openPi } from "./open.ts"

export const pi: Format = {
  agent: "pi",
  title: "pi",

  *find({ home, env }: AgentHomes): Iterable<SessionPlace> {
    const folder = join(env.PI_CODING_AGENT_DIR ?? join(home, ".pi", "agent"), "sessions")
    for (const project of foldersIn(folder)) {
      for (const path of filesIn(project, ".jsonl")) yield { path, main: path }
    }
  },

  glance(_, { head, tail }: Look): Glance | undefined {
    const lines = linesIn(head)
    const header = lines[0] === undefined ? undefined : piHeader(lines[0])
    if (header === undefined) return undefined
    const names = [...lines, ...linesIn(tail)].filter(({ type }) => type === "session_info")
    const title = names.map((line) => textField(line, "name")).findLast((name) => name !== undefined && name !== "")
    const { name, cwd, forkedFrom } = header
    return {
      name,
      id: sessionIdOf("pi", name),
      cwd,
      title: title ?? lines.map(promptText).find((text) => text !== undefined),
      ...(forkedFrom !== undefined && { from: { name: nameInFile(forkedFrom), as: "split" as const } }),
    }
  },

  detect({ path, head }): SessionPlace | undefined {
    const first = head === undefined ? undefined : linesIn(head)[0]
    return first !== undefined && piHeader(first) !== undefined ? { path, main: path } : undefined
  },

  open: (place) => Promise.resolve(place).then(openPi),

  resume: (_, name) => ["pi", "--session", name],
}
