// An open session of Claude Code.
import { RetconError } from "../../model/failure/retcon-error.ts"
import { FORMAT } from "../../model/record/version.ts"
import { sessionIdOf } from "../ids.ts"
import type { Opened, SessionPlace } from "../port.ts"
import { isoTime, linesIn } from "../shared/json-line.ts"
import { readHead } from "../shared/read-head.ts"
import { claudeFileHistory } from "./file-history.ts"
import { holderOf } from "./holder.ts"
import { claudeHookNames } from "./hook-names.ts"
import { type ClaudeHeader, claudeHeader, configFolderOf, keyOf, nameOf } from "./place.ts"
import { readRecord, why } from "./record.ts"
import { ClaudeScanner } from "./scanner.ts"

/** How much of a file is read to find its first row. What stands before it is short, but a prompt may hold an image. */
const HEADS = [8 * 1024, 256 * 1024, 16 * 1024 * 1024]

function headerOf(path: string): ClaudeHeader | undefined {
  let header: ClaudeHeader | undefined
  for (const bytes of HEADS) {
    header = claudeHeader(path, linesIn(readHead(path, bytes)))
    if (header?.cwd !== undefined) return header
  }
  return header
}

export function openClaude({ path }: SessionPlace, parse: "all" | "few" = "few"): Opened {
  const header = headerOf(path)
  if (header === undefined) {
    throw new RetconError({ code: "not-a-session", path, problem: "no line of it is one of Claude Code" })
  }
  const { session, agent, cwd, at, version, forkedFrom } = header
  const id = sessionIdOf("claude-code", keyOf(header))
  const config = configFolderOf(path)
  const task = agent === undefined ? undefined : { session: sessionIdOf("claude-code", session), as: "task" as const }
  const fork =
    forkedFrom === undefined ? undefined : { session: sessionIdOf("claude-code", forkedFrom), as: "split" as const }
  const from = task ?? fork
  return {
    id,
    name: nameOf(header),
    header: {
      id,
      type: "session",
      at: isoTime(at),
      ...FORMAT,
      cwd: cwd ?? "",
      made: { name: "claude-code", version: version ?? "" },
      ...(from !== undefined && { from: { ...from, entry: null } }),
    },
    sources: () => [{ number: 0, file: path, how: "grows" }],
    scanner: (sink, state) =>
      new ClaudeScanner(sink, { session: keyOf(header), subAgent: agent !== undefined, parse }, state),
    record: readRecord,
    why: (_, bytes) => why(bytes),
    holder: () => holderOf(config, session),
    hookNames: claudeHookNames,
    ...(config !== undefined && { fileHistory: () => claudeFileHistory({ path, config, session, cwd: cwd ?? "" }) }),
  }
}
