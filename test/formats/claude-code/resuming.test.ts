// What Claude Code sends with the entry that it continues from, and so where it can be made to continue. Measured with the real program.
import { expect, test } from "vitest"
import { ScannedSession } from "../../../src/foreign/scan/scanned-session.ts"
import { openClaude } from "../../../src/formats/claude-code/open.ts"
import { wholePath } from "../../../src/formats/shared/whole-path.ts"
import { path } from "../../../src/history/tree/tree.ts"
import type { JsonObject } from "../../../src/model/json.ts"
import { type Entry, isEntry } from "../../../src/model/record/record.ts"
import { movedBy, NOTHING_OURS } from "../read-session.ts"
import {
  answer,
  attachment,
  compaction,
  fileOf,
  nameOf,
  piece,
  prompt,
  read,
  result,
  sent,
  system,
  use,
  uuid,
} from "./lines.ts"

const hook = (name: string, parent: string, event: string, text = name): JsonObject =>
  attachment(name, parent, { type: "hook_success", hookName: event, hookEvent: event, content: text })
const context = (name: string, parent: string): JsonObject =>
  attachment(name, parent, { type: "hook_additional_context", hookName: "PostToolUse:Bash", content: [name] })
const queued = (name: string, parent: string): JsonObject =>
  attachment(name, parent, { type: "queued_command", prompt: name, commandMode: "prompt", origin: { kind: "human" } })
const reminded = (text: string) => `<system-reminder>\n${text}\n</system-reminder>`
const since = (version: string) => (line: JsonObject) => ({ ...line, version })

/** Where a move to each entry leads: the entry that the checkpoint names, or why it is refused. */
function places(lines: JsonObject[]): Record<string, string> {
  const file = fileOf(lines)
  const session = new ScannedSession(openClaude({ path: file, main: file }), NOTHING_OURS)
  session.load()
  const { history } = session
  const names = Array.from({ length: history.size }, (_, row) => [nameOf(history, row), row] as const)
  return Object.fromEntries(
    names.map(([name, row]) => {
      const moved = movedBy({ session } as never, row)
      if (!Array.isArray(moved)) return [name, /keeps an answer/.test(moved?.problem ?? "") ? "within" : "beside"]
      const { leafUuid } = moved.find(({ type }) => type === "last-prompt")
      return [name, names.find(([each]) => uuid(each) === leafUuid)?.[0] ?? String(leafUuid)]
    }),
  )
}

test("what is attached to a message is sent with it, so there is no place before it", () => {
  const lines = [
    prompt("u1", null),
    hook("h1", "u1", "UserPromptSubmit"),
    use("c1", "h1", "m1"),
    result("r1", "c1", "c1"),
    queued("q1", "r1"),
    answer("a1", "q1"),
    system("s1", "a1"),
  ]
  expect(places(lines)).toEqual({ u1: "beside", h1: "h1", c1: "within", r1: "beside", q1: "q1", a1: "a1", s1: "s1" })
})

test("the first of several results is no place, even if the next call was written after it", () => {
  const lines = [
    prompt("u1", null),
    use("c1", "u1", "m1"),
    result("r1", "c1", "c1"),
    context("h1", "r1"),
    use("c2", "c1", "m1"),
    result("r2", "c2", "c2"),
    answer("a1", "r2"),
  ]
  expect(places(lines)).toMatchObject({ c1: "within", r1: "within", h1: "within", c2: "within", r2: "r2", a1: "a1" })
})

test("the boundary of a compaction has the conversation before it", () => {
  const lines = [prompt("u1", null), answer("a1", "u1"), ...compaction("a1"), prompt("u2", "sum"), answer("a2", "u2")]
  expect(places(lines)).toMatchObject({ a1: "a1", bound: "a1", sum: "sum", u2: "u2" })
})

test("what a person's hooks add is sent: at the start, with a prompt, after a call; what other hooks print is not", () => {
  const history = read([
    { ...hook("h0", "u1", "SessionStart"), parentUuid: null },
    prompt("u1", "h0"),
    hook("h1", "u1", "UserPromptSubmit"),
    use("c1", "h1", "m1"),
    result("r1", "c1", "c1"),
    hook("h2", "r1", "PostToolUse"),
    hook("h3", "h2", "UserPromptSubmit", ""),
    context("h4", "h3"),
    answer("a1", "h4"),
  ])
  const [start, asked] = [reminded("SessionStart hook success: h0"), reminded("UserPromptSubmit hook success: h1")]
  const called = reminded("PostToolUse:Bash hook additional context: h4")
  expect(sent(history)).toBe(`${start} u1 ${asked} call_c1? call_c1=r1 ${called} a1`)
})

test("what hooks say of one of several calls comes behind all results, or in earlier versions not at all", () => {
  const lines = [
    prompt("u1", null),
    use("c1", "u1", "m1"),
    use("c2", "c1", "m1"),
    result("r1", "c1", "c1"),
    context("h1", "r1"),
    result("r2", "c2", "c2"),
    context("h2", "r2"),
    answer("a1", "h2"),
  ]
  const [one, two] = ["h1", "h2"].map((name) => reminded(`PostToolUse:Bash hook additional context: ${name}`))
  const called = "u1 call_c1?+call_c2? call_c1=r1+call_c2=r2"
  expect(sent(read(lines))).toBe(`${called} ${two} a1`)
  expect(sent(read(lines.map(since("2.1.326"))))).toBe(`${called} ${one} ${two} a1`)
})

test("an attachment of a kind that nobody knows counts if the program stored that it sent it", () => {
  const unknown = { ...attachment("x", "u1", { type: "something_new" }), version: "2.1.326" }
  const told = { ...unknown, rendered: [{ content: reminded("told") }] }
  expect(sent(read([prompt("u1", null), told, answer("a1", "x")]))).toBe(`u1 ${reminded("told")} a1`)
  expect(sent(read([prompt("u1", null), unknown, answer("a1", "x")]))).toBe("u1 a1")
})

test("an export loses nothing with the program's own bookkeeping, and says what it does not know", () => {
  const lost = (...lines: JsonObject[]) => {
    const history = read([prompt("u1", null), ...lines])
    const records = path(history, history.head).map((row) => history.record(row))
    return wholePath(records.filter((record): record is Entry => record !== undefined && isEntry(record))).lost
  }
  const [skills, duration] = [attachment("x", "u1", { type: "skill_listing", content: "- a" }), system("s1", "x")]
  const answered = piece("a1", "u1", "m1", { type: "text", text: "a1" })
  expect(lost(skills, duration, hook("h1", "s1", "PostToolUse"))).toEqual([])
  expect(lost(answered, attachment("y", "a1", { type: "something_new" }))).toHaveLength(1)
})
