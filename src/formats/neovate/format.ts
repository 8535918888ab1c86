// Neovate Code's sessions: one file per session, a tree in which each message names its parent.
import { join } from "node:path"
import { plainText } from "../../model/record/record.ts"
import { sessionIdOf } from "../ids.ts"
import type { AgentHomes, Format, Glance, GlanceInput, SessionPlace } from "../port.ts"
import { filesIn, foldersIn } from "../shared/folder-contents.ts"
import { linesIn } from "../shared/json-line.ts"
import { isNeovate } from "./format-marks.ts"
import { forkedFrom, titleIn } from "./header.ts"
import { authorOf, displayOf, partsOf } from "./message.ts"
import { cwdIn, cwdTold, dataFile, fileHistoryFolder, nameOf, neovateHome } from "./place.ts"

export const neovate: Format = {
  agent: "neovate",

  *find({ home }: AgentHomes): Iterable<SessionPlace> {
    for (const project of foldersIn(join(home, ".neovate", "projects"))) {
      for (const path of filesIn(project, ".jsonl")) yield { path, main: path }
    }
  },

  glance({ path }, { head, tail, read }: GlanceInput): Glance | undefined {
    if (!isNeovate(head)) return undefined
    const lines = linesIn(head)
    const prompt = lines.find((line) => ["prompt", "command"].includes(authorOf(line)?.origin ?? ""))
    const title = [...lines, ...linesIn(tail)].map(titleIn).findLast((text) => text !== undefined)
    const [name, home, from] = [nameOf(path), neovateHome(path), forkedFrom(lines)]
    return {
      name,
      id: sessionIdOf("neovate", name),
      cwd: cwdTold(lines, path) ?? (home === undefined ? undefined : cwdIn(read(dataFile(home)), path)),
      title: title ?? (prompt === undefined ? undefined : (displayOf(prompt) ?? plainText(partsOf(prompt)))),
      ...(from !== undefined && { from: { name: from.name, as: "split" as const } }),
    }
  },

  titles: {
    marks: ['"type":"custom-title"'],
    read: (line) => {
      const text = titleIn(line)
      return text === undefined ? undefined : { text, rank: 0 }
    },
  },

  detect({ path, head }): SessionPlace | undefined {
    return head !== undefined && isNeovate(head) ? { path, main: path } : undefined
  },

  open: async (place) => (await import("./open.ts")).openNeovate(place),

  *files({ path }): Iterable<string> {
    const home = neovateHome(path)
    if (home === undefined) return
    yield dataFile(home)
    yield* filesIn(fileHistoryFolder(home, nameOf(path)), "")
  },

  folders: ({ home }) => [join(home, ".neovate")],

  // It accepts a path too, for a file that is not in its usual place.
  resume: ({ path }, name) => ["neovate", "--resume", neovateHome(path) === undefined ? path : name],

  write: async (request) => (await import("./write.ts")).writeNeovate(request),
}
