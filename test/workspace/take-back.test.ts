// One path: what the agent made of it, what it was before, what is there now; and what a restore makes of that.
import { expect, test } from "vitest"
import { same, type TakeBackResult, takeBack } from "../../src/workspace/plan/take-back.ts"
import type { FileState, OnConflict } from "../../src/workspace/port.ts"

/** `text`, `text*` with other permissions, `@target`, `/` and `/*` for folders, undefined for nothing. */
function state(text: string | undefined): FileState | undefined {
  if (text === undefined) return undefined
  const perm = text.endsWith("*") ? 0o755 : 0o644
  const name = text.replace(/\*$/, "")
  if (name === "/") return { kind: "folder", perm }
  if (name.startsWith("@")) return { kind: "link", oid: name }
  return { kind: "file", oid: name, perm }
}

const content = {
  read: (oid: string) => Buffer.from(oid.replaceAll("|", "\n")),
  store: (bytes: Buffer) => bytes.toString().replaceAll("\n", "|"),
}

function words(taken: TakeBackResult): string {
  if (taken.outcome !== "want") return `${taken.outcome}: ${taken.because}`
  const { state: wanted } = taken
  if (wanted === undefined) return "nothing"
  const perm = "perm" in wanted && wanted.perm === 0o755 ? "*" : ""
  return wanted.kind === "folder" ? `/${perm}` : `${wanted.oid}${perm}`
}

const take = (
  after: string | undefined,
  before: string | undefined,
  now: string | undefined,
  how: OnConflict = "refuse",
) => words(takeBack(state(after), state(before), state(now), content, how))

test.each<
  [what: string, after: string | undefined, before: string | undefined, now: string | undefined, wanted: string]
>([
  ["nobody touched it since", "b", "a", "b", "a"],
  ["the agent made it", "b", undefined, "b", "nothing"],
  ["the agent deleted it", undefined, "a", undefined, "a"],
  ["it is as it was already", "b", "a", "a", "a"],
  ["somebody deleted it since", "b", "a", undefined, "kept: deleted-since"],
  ["somebody deleted what the agent made", "b", undefined, undefined, "nothing"],
  ["somebody changed what the agent made", "b", undefined, "c", "kept: changed-since"],
  ["only its permissions changed since", "b", "a", "b*", "a*"],
  ["the agent changed only its permissions, somebody the text", "a*", "a", "c*", "c"],
  ["the agent changed both, somebody the text back", "b*", "a", "a*", "a"],
  ["other lines were changed since", "1|x|3|4|5|6", "1|2|3|4|5|6", "1|x|3|4|5|y", "1|2|3|4|5|y"],
  ["the same line was changed since", "b", "a", "c", "conflict: content"],
  ["the agent deleted it, somebody made another", undefined, "a", "c", "conflict: added-twice"],
  ["one of them is not text", "b\0", "a", "c", "conflict: binary"],
  ["a link was changed since", "@b", "@a", "@c", "conflict: kind"],
  ["a link is as the agent left it", "@b", "@a", "@b", "@a"],
  ["a file became a link", "b", "a", "@c", "conflict: kind"],
  ["a link that the agent deleted is a file now", undefined, "@a", "c", "conflict: added-twice"],
  ["a folder became a file", "/", "a", "c", "conflict: kind"],
  ["a folder that the agent made, with other permissions now", "/", undefined, "/*", "nothing"],
  ["a folder whose permissions the agent changed", "/*", "/", "/*", "/"],
  ["a folder whose permissions somebody changed", "/", "/", "/*", "/*"],
  ["a folder that the agent deleted and somebody made again", undefined, "/", "/*", "/*"],
  ["a folder that is gone", "/", "/*", undefined, "nothing"],
  ["a folder in place of a file is gone", "/", "a", undefined, "kept: deleted-since"],
  ["a file in place of a folder is gone", "b", "/", undefined, "kept: deleted-since"],
])("%s", (_, after, before, now, wanted) => {
  expect(take(after, before, now)).toBe(wanted)
})

test("a conflict is settled as the person says", () => {
  const settled = (after: string | undefined, before: string, now: string) =>
    (["theirs", "ours", "write-conflicts"] as const).map((how) => take(after, before, now, how))
  const [theirs, ours, both] = settled("b", "a", "c")
  expect([theirs, ours]).toEqual(["a", "c"])
  expect(both).toMatch(/<<<<<<<.*c.*=======.*a.*>>>>>>>/)
  expect(settled("b\0", "a*", "c")).toEqual(["a*", "c", "conflict: binary"])
  expect(settled("@b", "@a", "c")).toEqual(["@a", "c", "conflict: kind"])
})

test("states are the same when their kind, content and permissions are", () => {
  const all = [undefined, "a", "a*", "b", "@a", "@b", "/", "/*"]
  for (const one of all)
    for (const other of all) expect([one, other, same(state(one), state(other))]).toEqual([one, other, one === other])
})
