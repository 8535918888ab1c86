// A session made of lines, and what is read of it, in short words.
import type { ForeignHistory } from "../../../src/foreign/scan/foreign-history.ts"
import { ScannedSession } from "../../../src/foreign/scan/scanned-session.ts"
import { openClaude } from "../../../src/formats/claude-code/open.ts"
import { contextAt } from "../../../src/history/context/context.ts"
import { prompts } from "../../../src/history/tree/path.ts"
import { NONE } from "../../../src/history/tree/tree.ts"
import type { JsonObject } from "../../../src/model/json.ts"
import { plainText } from "../../../src/model/record/part.ts"
import { NOTHING_OURS } from "../read-session.ts"
import { fileOf } from "./lines.ts"

export function read(lines: readonly (JsonObject | string)[], parse: "all" | "few" = "few"): ForeignHistory {
  return readFile(fileOf(lines), parse)
}

export function readFile(path: string, parse: "all" | "few" = "few"): ForeignHistory {
  const session = new ScannedSession(openClaude({ path, main: path }, parse), NOTHING_OURS)
  session.load()
  return session.history
}

/** What the model would get, such as `u1 a1 [u2] {p1 p2}`: words of the person, of the agent, calls, results. */
export function sent(history: ForeignHistory): string {
  return contextAt(history)
    .map(({ content }) =>
      content
        .map((part) =>
          part.type === "text"
            ? part.text
            : part.type === "tool-call"
              ? `${part.call}?`
              : part.type === "tool-result"
                ? `${part.call}=${part.output}`
                : part.type,
        )
        .join("+"),
    )
    .join(" ")
}

export function typed(history: ForeignHistory): string[] {
  return prompts(history, history.head).map((row) => {
    const record = history.record(row)
    return record?.type === "message" ? (record.display ?? plainText(record.content)) : ""
  })
}

/** The name of an entry, as `uuid` made its id. */
export function nameOf(history: ForeignHistory, row: number): string {
  return row === NONE ? "-" : Buffer.from(history.id(row).slice(24), "hex").toString().replaceAll("_", "")
}
