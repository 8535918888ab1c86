// pi's sessions: one file per session, a tree in which each entry names its parent. The smallest format: copy it to add another.
import type { JsonObject } from "../../model/json.ts"
import { sessionIdOf } from "../ids.ts"
import type { AgentHomes, Format, Glance, GlanceInput, SessionPlace } from "../port.ts"
import { filesIn, foldersIn } from "../shared/folder-contents.ts"
import { eachLine, firstLine, firstTold, linesIn, textField } from "../shared/json-line.ts"
import { nameInFile, piHeader, resumePi } from "./header.ts"
import { promptText } from "./message.ts"
import { sessionFolders } from "./place.ts"
import { PI_MARKS, piRequests } from "./requests.ts"

export const pi: Format = {
  agent: "pi",

  *find(homes: AgentHomes): Iterable<SessionPlace> {
    const { projects, flat } = sessionFolders(homes)
    const folders = [...foldersIn(projects), ...(flat === undefined ? [] : [flat])]
    for (const folder of folders) for (const path of filesIn(folder, ".jsonl")) yield { path, main: path }
  },

  settled({ home, env }) {
    const { flat } = sessionFolders({ home, env })
    return { home, env: { ...env, ...(flat !== undefined && { PI_CODING_AGENT_SESSION_DIR: flat }) } }
  },

  glance(_, { head, tail }: GlanceInput): Glance | undefined {
    const lines = eachLine(head)
    const first: JsonObject | undefined = lines.next().value ?? undefined
    const header = first === undefined ? undefined : piHeader(first)
    if (header === undefined) return undefined
    const infos = [head, tail].flatMap((piece) => linesIn(piece, ["session_info"]))
    const names = infos.filter(({ type }) => type === "session_info")
    const title = names.map((line) => textField(line, "name")).findLast((name) => name !== undefined && name !== "")
    const { name, cwd, forkedFrom } = header
    return {
      name,
      id: sessionIdOf("pi", name),
      cwd,
      title: title ?? firstTold(lines, promptText),
      ...(forkedFrom !== undefined && { from: { name: nameInFile(forkedFrom), as: "split" as const } }),
    }
  },

  titles: {
    marks: ['"type":"session_info"'],
    read: (line) => {
      const text = textField(line, "name") ?? ""
      return text === "" ? undefined : { text, rank: 0 }
    },
  },

  detect({ path, head }): SessionPlace | undefined {
    const first = head === undefined ? undefined : firstLine(head)
    return first !== undefined && piHeader(first) !== undefined ? { path, main: path } : undefined
  },

  open: async (place) => (await import("./open.ts")).openPi(place),

  requestMarks: PI_MARKS,

  requests: piRequests,

  folders(homes) {
    const { projects, flat } = sessionFolders(homes)
    return flat === undefined ? [projects] : [projects, flat]
  },

  resume: ({ path }, name) => resumePi(path, name),

  write: async (request) => (await import("./write.ts")).writePi(request),
}
