// Writes a session for Gemini CLI: a header, then one message per line.
import { createHash } from "node:crypto"
import { join } from "node:path"
import type { WriteRequest, Written } from "../port.ts"
import { wholePath } from "../shared/whole-path.ts"
import { linesOf, randomUuid } from "../shared/writer-basics.ts"
import { MessageWriter } from "./message-writer.ts"
import { projectFolder } from "./project-folder.ts"

export function writeGemini({ entries, cwd, homes, title, now, newId }: WriteRequest): Written {
  const name = randomUuid(newId())
  const projectHash = createHash("sha256").update(cwd).digest("hex")
  const header = { sessionId: name, projectHash, startTime: now, lastUpdated: now, kind: "main" }
  const writer = new MessageWriter(wholePath(entries, "kept"))
  const summary = title === undefined || title === "" ? [] : [{ $set: { summary: title } }]
  const project = projectFolder(homes, cwd)
  const file = `session-${now.slice(0, 16).replaceAll(":", "-")}-${name.slice(0, 8)}.jsonl`
  const marker = join(project.path, ".project_root")
  return {
    files: [
      ...(project.known ? [] : [{ path: marker, bytes: Buffer.from(cwd) }]),
      { path: join(project.path, "chats", file), bytes: linesOf([header, ...writer.lines, ...summary]) },
    ],
    resume: ["gemini", "--resume", name],
    lost: writer.lost,
  }
}
