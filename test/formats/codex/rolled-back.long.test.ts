// Which messages Codex counts when it rolls back. A prompt that was typed while the agent worked is one.
import { appendFileSync, readFileSync } from "node:fs"
import * as fc from "fast-check"
import { expect, test } from "vitest"
import { codex } from "../../../src/formats/codex/format.ts"
import { contextAt } from "../../../src/history/context/context.ts"
import { isOnPath, NONE, type Row } from "../../../src/history/tree/tree.ts"
import { isEntryKind, type MessageRecord, plainText } from "../../../src/model/record/record.ts"
import { movedBy, type ReadSession, readSession, temporaryFolder } from "../read-session.ts"
import { naiveReplay } from "./naive-replay.ts"
import { item, line, meta, rolledBack, rolloutPath, said, started, turn, write } from "./rollouts.ts"
import { threadSample } from "./threads.ts"

function textsAt({ history }: ReadSession, row?: Row): string[] {
  return contextAt(history, row).flatMap(({ content }) => content.map((part) => plainText([part])))
}

const context = (text: string) => `<environment_context>${text}</environment_context>`
const rollout = (...lines: string[]) => write(rolloutPath(temporaryFolder()), meta(), ...lines)
const more = (text: string) => said("user", text, "user.text") + said("assistant", `reply to ${text}`)

test("a prompt that was typed while the agent worked counts, whoever rolls back", async () => {
  const lines = [turn("one"), turn("two"), more("and this")]
  const one = ["one", "reply to one"]
  expect(textsAt(await readSession(codex, rollout(...lines, rolledBack(1))))).toEqual([...one, "two", "reply to two"])
  expect(textsAt(await readSession(codex, rollout(...lines, rolledBack(2))))).toEqual(one)
})

test.each([
  ["<user_shell_command>ls</user_shell_command>", "does not count"],
  ["<turn_aborted>\nby the user\n</turn_aborted>", "does not count"],
  ["<skill>\n<name>pdf</name>\n</skill>", "does not count"],
  ["<subagent_notification>{}</subagent_notification>", "does not count"],
  ['<hook_prompt hook_run_id="1">go on</hook_prompt>', "does not count"],
  ["# AGENTS.md instructions for /x\n\n<INSTRUCTIONS>\nbe nice\n</INSTRUCTIONS>", "does not count"],
  [context("here"), "does not count"],
  [`${context("here")} and more`, "counts"],
  ["# AGENTS.md instructions are missing", "counts"],
  ["Another language model started to solve this problem", "counts"],
  ["of whatever kind", "counts"],
])("Codex goes by the text: %j %s", async (text, verdict) => {
  const lines = [turn("one"), said("user", text, "of.tomorrow"), said("assistant", "well"), turn("two"), rolledBack(2)]
  expect(textsAt(await readSession(codex, rollout(...lines)))).toEqual(
    verdict === "counts" ? ["one", "reply to one"] : [],
  )
})

test("what one agent told another counts too", async () => {
  const told = {
    type: "agent_message",
    author: "/root/x",
    recipient: "/root",
    content: [{ type: "input_text", text: "!" }],
  }
  const path = rollout(turn("one"), line("response_item", told), turn("two"), rolledBack(2))
  expect(textsAt(await readSession(codex, path))).toEqual(["one", "reply to one"])
})

test("in a session that was typed in Codex 0.169.0, a prompt typed meanwhile is counted", async () => {
  const read = await readSession(codex, threadSample("steered", "ed7b1e9124dd").path)
  const { history } = read
  const prompts = Array.from({ length: history.size }, (_, row) => row).filter((row) => history.isPrompt(row))
  expect(prompts.map((row) => plainText((history.record(row) as MessageRecord).content))).toEqual([
    "First.Slow one.",
    "Third.",
  ])
  const counts = prompts.map((row) => movedBy(read, history.parent(row)))
  expect(counts).toMatchObject([[{ payload: { num_turns: 3 } }], [{ payload: { num_turns: 1 } }]])
})

const complete = line("event_msg", { type: "task_complete" })

/** Pieces of a file, each with what it says. */
const anyReplacement = fc.tuple(fc.boolean(), fc.boolean(), fc.nat()).map(([kept, leads, n]) =>
  line("compacted", {
    message: "",
    replacement_history: [
      ...(kept ? [item("user", `kept ${n}`, "user.text")] : []),
      ...(leads ? [item("user", context(`${n}`), "environments.environment_context")] : []),
      item("user", `in short ${n}`, "compaction.summary"),
    ],
  }),
)
const anySaid = fc
  .tuple(fc.option(anyReplacement, { freq: 6 }), fc.nat())
  .map(([compacted, n]) => said("user", `say ${n}`, "user.text") + (compacted ?? "") + said("assistant", `said ${n}`))
const anyTurn = fc
  .tuple(
    fc.option(fc.nat(), { freq: 3 }),
    fc.array(anySaid, { minLength: 1, maxLength: 3 }),
    fc.option(fc.nat(), { freq: 4 }),
  )
  .map(([leads, all, shell]) =>
    [
      started(),
      leads === null ? "" : said("user", context(`at ${leads}`), "environments.environment_context"),
      ...all,
      complete,
      shell === null ? "" : said("user", `<user_shell_command>${shell}</user_shell_command>`, "shell.user_command"),
    ].join(""),
  )
const anyFile = fc
  .array(
    fc.oneof(
      { weight: 6, arbitrary: anyTurn },
      { weight: 1, arbitrary: anyReplacement.map((compacted) => started() + compacted + complete) },
      { weight: 2, arbitrary: fc.integer({ min: 1, max: 3 }).map((count) => rolledBack(count)) },
    ),
    { minLength: 2, maxLength: 7 },
  )
  .map((lines) => [turn("one"), ...lines])
  // Nobody compacts nothing.
  .filter((lines) =>
    lines.every((each, at) => !each.includes('"compacted"') || naiveReplay(lines.slice(0, at).join("")).length > 0),
  )

test("whatever is in a file, retcon shows what Codex makes of it", async () => {
  await fc.assert(
    fc.asyncProperty(anyFile, async (lines) => {
      const path = rollout(...lines)
      expect(textsAt(await readSession(codex, path))).toEqual(naiveReplay(readFileSync(path, "utf8")))
    }),
    { seed: 7, numRuns: 150 },
  )
})

test("wherever retcon goes in it, Codex continues with what retcon shows there", async () => {
  await fc.assert(
    fc.asyncProperty(anyFile, fc.array(fc.nat(), { minLength: 1, maxLength: 4 }), anyTurn, async (lines, to, next) => {
      const path = rollout(...lines)
      for (const choice of to) {
        const read = await readSession(codex, path)
        const { history } = read
        const rows = Array.from({ length: history.size }, (_, row) => row).filter((row) =>
          isEntryKind(history.kind(row)),
        )
        const target =
          choice % 4 === 0
            ? (rows.filter((row) => isOnPath(history, row, history.head)).at(-1 - (choice % 3)) ?? NONE)
            : (rows[choice % (rows.length + 1)] ?? NONE)
        const moved = movedBy(read, target)
        if (!Array.isArray(moved)) continue
        const shown = textsAt(read, target)
        appendFileSync(path, moved.map((each) => `${JSON.stringify(each)}\n`).join(""))
        expect(naiveReplay(readFileSync(path, "utf8"))).toEqual(shown)
        expect(textsAt(await readSession(codex, path))).toEqual(shown)
        appendFileSync(path, next)
        expect(naiveReplay(readFileSync(path, "utf8"))).toEqual(textsAt(await readSession(codex, path)))
      }
    }),
    { seed: 7, numRuns: 40 },
  )
})
