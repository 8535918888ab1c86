// What Codex's session files say of what its patches changed: items of type `FileChange`, on lines of their own.
import { readFileSync, statSync } from "node:fs"
import type { SaidCall, SaidChange, SaidFile, SaidHunk } from "../../history/files/said-calls.ts"
import type { Json, JsonObject } from "../../model/json.ts"
import type { ToolCallPart } from "../../model/record/record.ts"
import type { SaidFiles } from "../port.ts"
import { eachLine, isoTime, millis, objectField, parseLine, textField } from "../shared/json-line.ts"
import type { LineageFile } from "./lineage.ts"

/** Codex checks a whole patch before it changes anything. The output of a command never begins like this. */
export function codexRefused(_: ToolCallPart, bytes: Buffer): SaidFiles | undefined {
  const output = textField(objectField(parseLine(bytes), "payload"), "output")
  return output?.startsWith("apply_patch verification failed: ") === true ? { files: [] } : undefined
}

/** Of patches that ended after a time, in milliseconds. */
export function codexSaid(
  files: readonly Pick<LineageFile, "path" | "upTo">[],
  since: number,
): Omit<SaidCall, "row">[] {
  return files.flatMap(({ path, upTo }) => {
    if ((statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) < since) return []
    return [...eachLine(readFileSync(path).subarray(0, upTo), ['"FileChange"'])].flatMap((line) => {
      const item = objectField(objectField(line, "payload"), "item")
      const call = textField(item, "id")
      if (item?.type !== "FileChange" || call === undefined || millis(line.timestamp) < since) return []
      return [{ call, at: isoTime(line.timestamp), files: filesOf(item) }]
    })
  })
}

/** A patch that failed may have changed some of its files. */
function filesOf(item: JsonObject): SaidFile[] {
  if (item.status === "declined") return []
  return Object.entries(objectField(item, "changes") ?? {}).flatMap(([path, told]): SaidFile[] => {
    const to = textField(told, "move_path")
    if (to !== undefined) return [{ path }, { path: to }]
    const change = item.status === "completed" ? changeOf(told) : undefined
    return [{ path, ...(change !== undefined && { change }) }]
  })
}

/** Of a file that it added, nobody knows whether it was there before: such a patch overwrites it, and says the same. */
function changeOf(told: Json): SaidChange | undefined {
  const [type, content] = [textField(told, "type"), textField(told, "content")]
  if (type === "delete" && content !== undefined) return { before: content, after: null, lineEnds: "exact" }
  const hunks = type === "update" ? hunksIn(textField(told, "unified_diff") ?? "") : undefined
  return hunks === undefined ? undefined : { hunks, lineEnds: "exact" }
}

const HUNK = /^@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@/

/** Undefined if it has none, or one that does not say where its lines were. */
function hunksIn(diff: string): SaidHunk[] | undefined {
  const hunks: (SaidHunk & { lines: string[] })[] = []
  for (const line of diff.replace(/\n$/, "").split("\n")) {
    const begins = HUNK.exec(line)
    const newStart = Number(begins?.[1])
    if (begins === null) hunks.at(-1)?.lines.push(line)
    else if (begins[2] === "0" && newStart > 0) return undefined
    else hunks.push({ newStart, lines: [] })
  }
  return hunks.length === 0 ? undefined : hunks
}
