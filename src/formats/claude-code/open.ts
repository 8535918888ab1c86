// An open Claude Code session.
import { join } from "node:path"
import { RetconError } from "../../model/failure/retcon-error.ts"
import { sessionIdOf } from "../ids.ts"
import type { Opened, SessionPlace } from "../port.ts"
import { isoTime, linesIn } from "../shared/json-line.ts"
import { readHead } from "../shared/read-head.ts"
import { sessionHeader, splitFrom, taskOf } from "../shared/session-header.ts"
import { claudeFileHistory } from "./file-history.ts"
import { holderOf } from "./holder.ts"
import { claudeHookNames } from "./hook-names.ts"
import { type ClaudeHeader, claudeHeader, configFolderOf, giverOf, keyOf, metaOf, nameOf } from "./place.ts"
import { readRecord, why } from "./record.ts"
import { claudeSaid, claudeSaidBeside } from "./said.ts"
import { ClaudeScanner } from "./scanner.ts"

/** How many bytes to read to find the first line of the tree, in turn. What precedes it is short, but a prompt may have an image. */
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
    throw new RetconError({ code: "not-a-session", path, problem: "it has no line of Claude Code" })
  }
  const { session, agent, cwd, at, version, forkedFrom } = header
  const id = sessionIdOf("claude-code", keyOf(header))
  const config = configFolderOf(path)
  const fork = forkedFrom === undefined ? undefined : splitFrom(sessionIdOf("claude-code", forkedFrom))
  const from = agent === undefined ? fork : taskOf(sessionIdOf("claude-code", giverOf(header, metaOf(path, readHead))))
  return {
    id,
    name: nameOf(header),
    header: sessionHeader("claude-code", { id, at: isoTime(at), cwd, version, from }),
    sources: () => [{ number: 0, file: path, how: "grows" }],
    scanner: (sink, state) =>
      new ClaudeScanner(sink, { session: keyOf(header), subAgent: agent !== undefined, parse }, state),
    record: readRecord,
    why: (_, bytes) => why(bytes),
    holder: () => holderOf(config, session),
    hookNames: claudeHookNames,
    said: claudeSaid,
    saidBeside: (since) => claudeSaidBeside(join(path.slice(0, -".jsonl".length), "subagents"), since),
    ...(config !== undefined && { fileHistory: () => claudeFileHistory({ path, config, session, cwd: cwd ?? "" }) }),
  }
}
