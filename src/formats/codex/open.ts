// An open Codex session.
import { RetconError } from "../../model/failure/retcon-error.ts"
import type { SessionRecord } from "../../model/record/record.ts"
import { sessionIdOf } from "../ids.ts"
import type { Opened, SessionPlace } from "../port.ts"
import { isoTime } from "../shared/json-line.ts"
import { sessionHeader } from "../shared/session-header.ts"
import type { CodexHeader } from "./header.ts"
import { holderOf } from "./holder.ts"
import { codexHookNames } from "./hook-names.ts"
import { Lineage, lineageOf, taskFiles } from "./lineage.ts"
import { readRecord, why } from "./record.ts"
import { codexRefused, codexSaid } from "./said.ts"
import { CodexScanner } from "./scanner.ts"

export function openCodex({ path }: SessionPlace): Opened {
  const files = lineageOf(path)
  const header = files?.find(({ upTo }) => upTo === undefined)?.header
  if (files === undefined || header === undefined) {
    throw new RetconError({ code: "not-a-session", path, problem: "line 1 is not a Codex header" })
  }
  const lineage = new Lineage(path, files)
  const id = sessionIdOf("codex", header.thread)
  return {
    id,
    name: header.thread,
    header: sessionHeader("codex", {
      id,
      at: isoTime(header.at),
      cwd: header.cwd,
      version: header.version,
      from: fromOf(header),
    }),
    sources: () => lineage.sources(),
    scanner: (sink, state) => new CodexScanner(sink, () => lineage.files, state),
    record: readRecord,
    why: (_, bytes) => why(bytes),
    said: codexRefused,
    saidBeside: (since) => codexSaid([...lineage.files, ...taskFiles(path, header.thread, since)], since),
    hookNames: codexHookNames,
    holder: () => holderOf(lineage.files.at(-1)?.path ?? path, header.thread),
  }
}

function fromOf({ parent, forkedFrom }: CodexHeader): SessionRecord["from"] {
  if (parent !== undefined) return { session: sessionIdOf("codex", parent), entry: null, as: "task" }
  return forkedFrom === undefined ? undefined : { session: sessionIdOf("codex", forkedFrom), entry: null, as: "split" }
}
