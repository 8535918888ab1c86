// How Codex goes back, as the real program was seen to do it.
import { appendFileSync } from "node:fs"
import { expect, test } from "vitest"
import { codex } from "../../../src/formats/codex/format.ts"
import { contextAt } from "../../../src/history/context/context.ts"
import { plainText } from "../../../src/model/record/record.ts"
import { readSession, temporaryFolder } from "../read-session.ts"
import {
  event,
  item,
  line,
  meta,
  OTHER,
  rolledBack,
  rolloutPath,
  SEGMENT,
  said,
  started,
  turn,
  write,
} from "./rollouts.ts"

async function textsOf(path: string): Promise<string[]> {
  const { history } = await readSession(codex, path)
  return contextAt(history).map(({ content }) => plainText(content))
}

const rollout = (...lines: string[]) => write(rolloutPath(temporaryFolder()), meta(), ...lines)

const here = "<environment_context>here</environment_context>"
const beginning = said("developer", "rules") + said("user", here, "environments.environment_context")

test("rolling back goes to before the turn, and before what Codex said on the way to it", async () => {
  const moved = said("user", here, "environments.environment_context")
  const second = started() + moved + said("user", "two", "user.text") + said("assistant", "reply to two")
  expect(await textsOf(rollout(beginning, turn("one"), second, rolledBack(1)))).toEqual([
    "rules",
    here,
    "one",
    "reply to one",
  ])
})

test("rolling back more turns than there are keeps what precedes the first", async () => {
  expect(await textsOf(rollout(beginning, turn("one"), turn("two"), rolledBack(9)))).toEqual(["rules", here])
})

const compacted = line("compacted", {
  message: "Another language model started to solve this problem: all went well",
  replacement_history: [
    item("user", "one", "user.text"),
    item("user", here, "environments.environment_context"),
    item("user", "two", "user.text"),
    item("user", "Another language model started to solve this problem: all went well", "compaction.summary"),
  ],
})

test("rolling back beyond a compaction goes on as if it had never been, as Codex does", async () => {
  const lines = [beginning, turn("one"), turn("two"), compacted, turn("three")]
  expect(await textsOf(rollout(...lines, rolledBack(1)))).toEqual([
    "one",
    here,
    "two",
    expect.stringContaining("all went well"),
  ])
  const one = ["rules", here, "one", "reply to one"]
  expect(await textsOf(rollout(...lines, rolledBack(2)))).toEqual(one)
  expect(await textsOf(rollout(...lines, rolledBack(3)))).toEqual(["rules", here])
  expect(await textsOf(rollout(...lines, rolledBack(2), turn("four"), rolledBack(2), turn("five")))).toEqual([
    "rules",
    here,
    "five",
    "reply to five",
  ])
})

test("rolling back into what an older version compacted leaves out its last prompts, as Codex does", async () => {
  const lines = [turn("one"), turn("two"), line("compacted", { message: "all went well" }), turn("three")]
  expect(await textsOf(rollout(...lines, rolledBack(1)))).toEqual(["one", "two", "all went well"])
  expect(await textsOf(rollout(...lines, rolledBack(2)))).toEqual(["one", "two"])
  expect(await textsOf(rollout(...lines, rolledBack(3), turn("four")))).toEqual(["one", "four", "reply to four"])
})

test("a rollback, a fork and a revert are moves that say where from and where to", async () => {
  const { history } = await readSession(codex, rollout(beginning, turn("one"), turn("two"), rolledBack(1)))
  const record = history.record(history.size - 1)
  expect(record).toMatchObject({ type: "operation", kind: "goto", head: { to: history.id(history.head) } })
})

test("a file that continues the thread from an earlier place goes back to there", async () => {
  const home = temporaryFolder()
  const first = meta() + beginning + turn("one")
  const path = write(rolloutPath(home), first, turn("two"))
  const base = { thread_id: path.slice(-42, -6), end_ordinal_exclusive: 0, end_byte_offset: Buffer.byteLength(first) }
  const later = rolloutPath(home, undefined, SEGMENT, "17")
  write(later, meta(undefined, { history_base: base }), turn("three"))
  const expected = ["rules", here, "one", "reply to one", "three", "reply to three"]
  expect(await textsOf(path)).toEqual(expected)
  expect(await textsOf(later)).toEqual(expected)
})

test("a fork begins as the thread it was made from, and stays as it is when that continues", async () => {
  const home = temporaryFolder()
  const first = meta() + beginning + turn("one")
  const origin = write(rolloutPath(home), first)
  const base = { thread_id: origin.slice(-42, -6), end_byte_offset: Buffer.byteLength(first) }
  const fork = write(
    rolloutPath(home, OTHER),
    meta(OTHER, { forked_from_id: base.thread_id, history_base: base }),
    turn("two"),
  )
  const { session, history, opened } = await readSession(codex, fork)
  expect(opened.header.from).toMatchObject({ session: base.thread_id, as: "split" })
  const { size, generation } = { size: history.size, generation: session.generation }
  appendFileSync(origin, turn("elsewhere"))
  expect([session.refresh(), history.size, session.generation]).toEqual([0, size, generation])
  expect((await textsOf(fork)).slice(2)).toEqual(["one", "reply to one", "two", "reply to two"])
  session.close()
})

test("a thread that is reverted while it is open continues in its new file", async () => {
  const home = temporaryFolder()
  const first = meta() + turn("one")
  const path = write(rolloutPath(home), first, turn("two"))
  const { session, history } = await readSession(codex, path)
  session.refresh()
  const base = { thread_id: path.slice(-42, -6), end_byte_offset: Buffer.byteLength(first) }
  write(rolloutPath(home, undefined, SEGMENT, "17"), meta(undefined, { history_base: base }), turn("three"))
  expect(session.refresh()).toBeGreaterThan(0)
  expect(contextAt(history).map(({ content }) => plainText(content))).toEqual([
    "one",
    "reply to one",
    "three",
    "reply to three",
  ])
  session.close()
})

test("what Codex notes down for itself makes no row", async () => {
  const path = rollout(turn("one"), event("token_count"), line("world_state", {}), line("token_usage_record", {}))
  const { history } = await readSession(codex, path)
  expect(history.size).toBe(2)
})
