// What a person is asked, and how what they type is understood: the same in every front end.
import { describe, expect, test } from "vitest"
import type { ApprovalAction } from "../../src/model/approval.ts"
import type { Grant } from "../../src/model/grant.ts"
import { canContinue, isOffered } from "../../src/protocol/can-continue.ts"
import { brokenLines, grantLines, headingOf, nobodyThere, questionLines } from "../../src/protocol/question.ts"
import { sandboxLabel, sandboxWarning } from "../../src/protocol/sandbox-words.ts"
import { typedAnswer } from "../../src/protocol/typed-answer.ts"

const GRANTS: Grant[] = [
  { id: "this", rules: ["Bash(ls)"], words: "exactly this command", width: "exact" },
  { id: "tool", rules: ["Bash"], words: "every command", width: "wide" },
]
const ask = (action: ApprovalAction, warnings: string[] = []) => ({
  title: "",
  action,
  outside: [],
  warnings,
  grants: GRANTS,
})
const lines = (action: ApprovalAction, warnings?: string[]) =>
  questionLines(ask(action, warnings)).map(({ kind, text }) => `${kind}: ${text}`)

describe("a question shows all that would happen", () => {
  test("a command, with its folder and how it runs; warnings come first", () => {
    const command = { kind: "command", command: "make\nrm -r out\n", cwd: "/project", background: false } as const
    expect(lines(command, ["It deletes files."])).toEqual([
      "warning: It deletes files.",
      "command: $ make",
      "command: rm -r out",
      "quiet: in /project",
    ])
    expect(lines({ ...command, background: true, outsideSandbox: true }).at(-1)).toBe(
      "quiet: in the background, outside the sandbox, in /project",
    )
  })

  test("a change, line by line, in place of the names of its files what becomes of which", () => {
    const diff = "--- a/x.ts\n+++ b/x.ts\n@@ -1,2 +1,2 @@\n-old\n+new\n same\n\\ No newline at end of file\n"
    expect(lines({ kind: "write", path: "x.ts", diff })).toEqual([
      "quiet: change x.ts",
      "quiet: @@ -1,2 +1,2 @@",
      "removed: -old",
      "added: +new",
      "plain:  same",
      "quiet: \\ No newline at end of file",
    ])
    const added = "--- /dev/null\n+++ b/x.ts\n@@ -0,0 +1 @@\n+new\n"
    expect(lines({ kind: "write", path: "x.ts", diff: added })).toEqual(["quiet: new file x.ts", "added: +new"])
    expect(lines({ kind: "write", path: "x.ts", diff: "" })).toEqual(["plain: x.ts"])
    expect(lines({ kind: "write", path: "x.ts", diff: "--- a\nno header" })).toEqual([
      "removed: --- a",
      "plain: no header",
    ])
    expect(lines({ kind: "write", path: "x.ts", diff: "no header\n+++ b" })).toEqual([
      "plain: no header",
      "added: +++ b",
    ])
  })

  test("everything else, and no character that hides", () => {
    expect(lines({ kind: "read", path: "/etc/a\u202eb" })).toEqual(["plain: read /etc/a<U+202E>b"])
    expect(lines({ kind: "restore", checkpoint: 3 })[0]).toContain("at checkpoint 3")
    expect(lines({ kind: "other", input: { a: 1 } })).toEqual(["plain: {", 'plain:   "a": 1', "plain: }"])
    expect(lines({ kind: "read", path: "a\nb" })).toEqual(["plain: read a<U+000A>b"])
  })

  test("its heading names the tool once", () => {
    const action = { kind: "read", path: "a" } as const
    expect(headingOf({ name: "Read", ...ask(action), title: "read a" })).toBe("read a")
    expect(headingOf({ name: "Read", ...ask(action), title: "a" })).toBe("Read a")
    const command = { kind: "command", command: "ls", cwd: "/", background: true } as const
    expect(headingOf({ name: "Bash", ...ask(command), title: "ls" })).toBe("Bash, in the background")
  })

  test("a line too long for the screen continues on the next, with a mark", () => {
    expect(brokenLines([{ kind: "plain", text: "abcdefgh" }], 6)).toEqual([
      { kind: "plain", text: "  abcd" },
      { kind: "plain", text: "↳ efgh" },
    ])
  })

  test("what else may be allowed, by the key that does", () => {
    expect(grantLines(GRANTS)).toEqual([
      { key: "a", text: "exactly this command, for this session" },
      { key: "t", text: "every command, for this session" },
    ])
  })

  test("if nobody is there, the answer is no", () => {
    expect(nobodyThere("rm x")).toMatchObject({ answer: "no", by: "nobody", reason: expect.stringContaining("(rm x)") })
  })
})

describe("only a line that is nothing but an answer allows anything", () => {
  test.each([
    [" Y ", { answer: "once" }],
    ["yes", { answer: "once" }],
    ["a", { answer: "session", grant: "this" }],
    ["session", { answer: "session", grant: "this" }],
    ["T", { answer: "session", grant: "tool" }],
    ["w", { answer: "no", reason: "w" }],
    ["yes, but not that file", undefined],
    ["okay", undefined],
    ["always", undefined],
    ["n", { answer: "no" }],
    ["No.", { answer: "no" }],
    ["no, use make instead", { answer: "no", reason: "use make instead" }],
    ["", { answer: "no" }],
    ["not now", { answer: "no", reason: "not now" }],
    ["use make", { answer: "no", reason: "use make" }],
  ])("%j", (line, answer) => {
    expect(typedAnswer(line, GRANTS)).toEqual(answer)
  })

  test("a key that was not offered allows nothing", () => {
    expect(typedAnswer("a", [])).toEqual({ answer: "no", reason: "a" })
    expect(typedAnswer("s", GRANTS.slice(1))).toEqual({ answer: "no", reason: "s" })
  })
})

test("how commands are confined, in a word; without a sandbox a person is warned", () => {
  const states = [
    { state: "confined", network: "off" },
    { state: "confined", network: "on" },
    { state: "off" },
    { state: "none", because: "bwrap is missing" },
  ] as Parameters<typeof sandboxLabel>[0][]
  expect(states.map(sandboxLabel)).toEqual(["sandbox, no network", "sandbox", "sandbox off", "no sandbox"])
  const warning = expect.stringContaining("bwrap is missing")
  expect(states.map(sandboxWarning)).toEqual([undefined, undefined, undefined, warning])
})

test("a person can continue what was spoken in: not an archived or empty session, a task's, or another agent's", () => {
  const session = { archived: false, branches: 1 }
  const from = (as: "task" | "split") => ({ session: "s" as never, entry: null, as })
  expect(canContinue(session)).toBe(true)
  expect(canContinue({ ...session, branches: null, from: from("split") })).toBe(true)
  for (const none of [{ archived: true }, { branches: 0 }, { from: from("task") }]) {
    expect([canContinue({ ...session, ...none }), isOffered({ ...session, ...none })]).toEqual([false, false])
  }
  const other = { ...session, agent: "claude-code" }
  expect([canContinue(other), isOffered(other)]).toEqual([false, true])
})
