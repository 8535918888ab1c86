// The files that Claude Code keeps beside a session's own.
import { basename, dirname, join } from "node:path"
import type { SessionPlace } from "../port.ts"
import { filesIn, foldersIn } from "../shared/folder-contents.ts"
import { configFolderOf } from "./place.ts"

/** Sub-agents' sessions, results too long for the session, copies of files; for a sub-agent, the file with its task. */
export function claudeFiles({ path }: SessionPlace): string[] {
  const [folder, stem] = [dirname(path), path.slice(0, -".jsonl".length)]
  if (basename(folder) === "subagents") return filesIn(folder, `${basename(stem)}.meta.json`)
  const config = configFolderOf(path)
  const history = config === undefined ? [] : filesIn(join(config, "file-history", basename(stem)), "")
  return [...foldersIn(stem).flatMap((inner) => filesIn(inner, "")), ...history]
}
