// Who wrote each line, if calls of several sessions changed the same file.
import { expect, test } from "vitest"
import type { EntryId } from "../../src/model/id.ts"
import { blameWritten, type WrittenBytes } from "../../src/session/files/blame.ts"

type Change = WrittenBytes & { who: string }

/** A call from second `from` to second `until`; lines are letters. */
function change(who: string, [from, until]: [number, number], before: string | undefined, after: string): Change {
  const at = (second: number) => new Date(second * 1000).toISOString()
  const bytes = (text: string | undefined) => (text === undefined ? undefined : linesOf(text))
  return { who, from: at(from), until: at(until), before: bytes(before), after: bytes(after), prompt: who as EntryId }
}

function linesOf(letters: string): Buffer {
  return Buffer.from(letters.replaceAll(/./g, "$&\n"))
}

function blame(now: string, ...changes: Change[]): string {
  const lines = blameWritten(changes, linesOf(now))
  return lines.map(({ text, by }) => `${text}:${by?.who ?? "you"}`).join(" ")
}

test("each line is of the session that wrote it last, in the order of time, whatever the order given", () => {
  const first = change("claude", [1, 2], undefined, "ab")
  const second = change("codex", [3, 4], "ab", "abc")
  const third = change("claude", [5, 6], "abc", "aBc")
  expect(blame("aBc", third, first, second)).toBe("a:claude B:claude c:codex")
})

test("what no session wrote is the person's, or was there before", () => {
  const first = change("claude", [2, 3], "x", "xa")
  const second = change("codex", [5, 6], "xam", "xamb")
  expect(blame("xamby", first, second)).toBe("x:you a:claude m:you b:codex y:you")
})

test("what another session's call has written so far is that session's, not the person's", () => {
  const long = change("claude", [1, 9], "x", "xabc")
  const short = change("codex", [3, 4], "xa", "xab")
  expect(blame("xabc", long, short)).toBe("x:you a:claude b:codex c:claude")
})

test("a file that was removed and written anew has only new lines", () => {
  const first = change("claude", [1, 2], undefined, "ab")
  const second = change("codex", [3, 4], undefined, "ab")
  expect(blame("ab", first, second)).toBe("a:codex b:codex")
})
