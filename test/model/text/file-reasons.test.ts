// The words for a file that stays or conflicts name who did it: the person, unless a session's log says otherwise.
import { expect, test } from "vitest"
import { parseSessionId, type SessionId } from "../../../src/model/id.ts"
import type { FileGaps } from "../../../src/model/move/file-gaps.ts"
import { conflictWords, keptWords } from "../../../src/model/text/file-reasons.ts"
import { withUnseen } from "../../../src/session/files/known/file-gaps.ts"
import type { RestorePlan } from "../../../src/workspace/port.ts"

const other = parseSessionId("01931cd0-0000-7000-8000-0000007f88a2") as SessionId

test.each([
  ["changed-since", "you changed it since", "session 7f88a2 changed it since"],
  ["deleted-since", "you deleted it since", "session 7f88a2 deleted it since"],
  ["other-session", "another session changed it at the same time", "session 7f88a2 changed it at the same time"],
  [
    "other-command",
    "it changed while a command of another session ran, perhaps because of it",
    "it changed while a command of session 7f88a2 ran, perhaps because of it",
  ],
] as const)("%s", (because, yours, theirs) => {
  expect([keptWords({ because }), keptWords({ because, by: other })]).toEqual([yours, theirs])
})

test("where commands that no snapshot shows have run, nothing is said to be the person's", () => {
  const gaps: FileGaps = { rounds: [{ prompt: null, named: [], commands: 1, agents: 0, others: 0 }] }
  const plan = {
    kept: [
      { path: "a", because: "changed-since" as const },
      { path: "b", because: "deleted-since" as const },
      { path: "c", because: "changed-since" as const, by: other },
    ],
    conflicts: [{ path: "d", because: "content" as const, parts: [] }],
  }
  const words = ({ kept, conflicts }: Pick<RestorePlan, "kept" | "conflicts">) => [
    ...kept.map(keptWords),
    ...conflicts.map(conflictWords),
  ]
  expect(words(withUnseen(plan, gaps))).toEqual([
    "changed since, by a tool call or by you",
    "deleted since, by a tool call or by you",
    "session 7f88a2 changed it since",
    "the agent, and then a tool call or you, changed the same lines",
  ])
  expect(words(withUnseen(plan, undefined))).toEqual(words(plan))
})

test.each([
  ["content", "you and the agent changed the same lines", "session 7f88a2 and this session changed the same lines"],
  [
    "added-twice",
    "the agent deleted it, and you created it again",
    "this session deleted it, and session 7f88a2 created it again",
  ],
] as const)("%s", (because, yours, theirs) => {
  expect([conflictWords({ because }), conflictWords({ because, by: other })]).toEqual([yours, theirs])
})
