// The words for a file that stays or conflicts name who did it: the person, unless a session's log says otherwise.
import { expect, test } from "vitest"
import { parseSessionId, type SessionId } from "../../../src/model/id.ts"
import { conflictWords, keptWords } from "../../../src/model/text/file-reasons.ts"

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
