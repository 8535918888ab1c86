// What the page says of a tree, of branches and of moves.
import { describe, expect, test } from "vitest"
import { ApiError } from "../../src/client/api.ts"
import type { GraphLine } from "../../src/history/graph/graph.ts"
import { NONE } from "../../src/history/tree/tree.ts"
import type { Moved } from "../../src/model/move/moved.ts"
import type { LogRecord } from "../../src/model/record/record.ts"
import { asideTitle } from "../../web/conversation/aside-title.ts"
import { movedWords } from "../../web/move/moved-words.ts"
import { dryRun, rewind } from "../../web/move/rewind.ts"
import { findInContents } from "../../web/sessions/find-in-contents.ts"
import { problemToast } from "../../web/show/problem.ts"
import { bodyOf, lineWords, placeOf, recordWords } from "../../web/tree/line-words.ts"

/** A record as far as it matters here. */
const record = (fields: object) => ({ id: "e1", parent: null, ...fields }) as unknown as LogRecord
const message = (role: string, text: string, more: object = {}) =>
  record({ type: "message", role, origin: "person", content: text === "" ? [] : [{ type: "text", text }], ...more })

describe("a line of the tree", () => {
  const stretch = { named: 3, last: 5, starts: "round" }
  const line = (fields: object) => fields as unknown as GraphLine
  const folded = line({ type: "folded", branch: { first: 7, newest: 9, messages: 2 } })

  test("says what its entry says, and how much is folded or not named", () => {
    const said = message("user", "Fix\nit")
    expect(lineWords(line({ type: "stretch", stretch }), said)).toBe("Fix it")
    expect(lineWords(line({ type: "stretch", stretch: { ...stretch, starts: "more" } }), said)).toBe("… Fix it")
    expect(lineWords(line({ type: "stretch", stretch }), undefined)).toBe("")
    expect(lineWords(folded, said)).toBe("Fix it · 2 messages")
    expect(lineWords(folded, undefined)).toBe("A branch · 2 messages")
    expect(lineWords(line({ type: "others", branches: 1, messages: 3 }), undefined)).toBe("1 more branch, 3 messages")
    expect(lineWords(line({ type: "start" }), undefined)).toBe("Start")
    expect(lineWords(line({ type: "rest", entries: 2 }), undefined)).toBe("2 earlier entries")
    expect(lineWords(line({ type: "join" }), undefined)).toBe("")
  })

  test("needs the body of the entry it names, and leads to its end", () => {
    const lines = [line({ type: "stretch", stretch }), folded, line({ type: "start" })]
    expect([lines.map(bodyOf), lines.map(placeOf)]).toEqual([
      [3, 7, NONE],
      [5, 9, NONE],
    ])
  })

  test.each([
    [message("assistant", "x".repeat(161)), "x".repeat(160)],
    [record({ type: "note", text: "wrong way" }), "Went back: wrong way"],
    [record({ type: "compaction", summary: "short" }), "Compacted: short"],
    [record({ type: "checkpoint" }), "checkpoint"],
    [record({ type: "unknown-entry", was: "attachment/skill_listing" }), "attachment/skill_listing"],
    [
      message("assistant", "", { content: [{ type: "tool-call", name: "Bash", input: { command: "ls" } }] }),
      "Bash: ls",
    ],
    [message("tool", "", { content: [{ type: "tool-result", output: "a.txt" }] }), "results"],
    [message("assistant", ""), "(no text)"],
  ])("of %j", (of, words) => {
    expect(recordWords(of)).toEqual(words)
  })
})

test("a failure is shown with what to do about it, if the server says so", () => {
  const problem = (hint: string) =>
    problemToast(new ApiError(409, { detail: "It is busy.", code: "session-busy", hint }))
  expect(problem("Stop it first.")).toEqual({ kind: "problem", text: "It is busy.", detail: "Stop it first." })
  expect(problem("")).toEqual({ kind: "problem", text: "It is busy." })
  expect(problemToast(new Error("Lost."))).toEqual({ kind: "problem", text: "Lost." })
})

test("what nobody said has a title", () => {
  const titles = [
    message("user", "x", { origin: "hook" }),
    message("system", "x", { origin: "hook" }),
    message("user", "x"),
    record({ type: "merge" }),
    record({ type: "note" }),
  ].map(asideTitle)
  const expected = ["Output of a hook", "System", "Message", "Brought in from another branch"]
  expect(titles).toEqual([...expected, "note"])
})

describe("a move", () => {
  const moved = (fields: object) =>
    ({
      outcome: "moved",
      kind: "back",
      messages: 0,
      files: [],
      filesMode: "keep",
      kept: [],
      notCovered: [],
      ...fields,
    }) as unknown as Moved
  const GAPS = {
    agent: "claude-code",
    rounds: [{ prompt: null, named: [], commands: 1, agents: 0, others: 0 }],
    next: ["Take snapshots with: ", { do: "install-hooks", agent: "claude-code" }],
  }
  const files = (count: number) => Array.from({ length: count }, (_, i) => ({ path: `f${i}`, change: "modified" }))

  test.each([
    [{}, { text: "Rewound." }],
    [{ messages: 1 }, { text: "Rewound, 1 message left behind, nothing is lost." }],
    [{ outcome: "unchanged" }, { text: "You are already there. Nothing was changed." }],
    [
      { outcome: "unchanged", kind: "restore" },
      { text: "The files are already as they were then. Nothing was changed." },
    ],
    [
      { files: files(4), filesMode: "restore" },
      { text: "Rewound.", detail: "Files restored: f0, f1, f2, f3" },
    ],
    [
      { files: files(6), filesMode: "restore" },
      { text: "Rewound.", detail: "Files restored: f0, f1, f2, f3 and 2 more" },
    ],
    [{ files: files(1) }, { text: "Rewound.", detail: "Files that differ from here stay as they are: f0." }],
    [
      { files: files(1), notRestorable: "no snapshots" },
      {
        text: "Rewound.",
        detail: "Files that differ from here stay as they are: f0. They cannot be restored: no snapshots",
      },
    ],
    [
      { kind: "restore", files: files(1), filesMode: "restore", gaps: GAPS },
      {
        text: "Rewound, as far as they are known.",
        detail: [
          "Files restored: f0",
          "1 shell command ran in a round without snapshots: what it changed is not known, and stays.",
          "Take snapshots with: retcon hooks install claude-code (in a shell)",
        ].join("\n"),
      },
    ],
    [{ kept: [{ path: "a", because: "asked" }] }, { text: "Rewound.", detail: "Kept a: as you asked" }],
  ])("that did %j is reported", (did, words) => {
    expect(movedWords("Rewound", moved(did))).toEqual(words)
  })

  /** A session that answers a move with this, and notes what it was asked. */
  function session(
    result: object,
    diff: object = { outcome: "diff", patch: "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new\n" },
  ) {
    const asked: unknown[] = []
    const answer =
      (what: string, given: object) =>
      async (...args: unknown[]) => {
        asked.push([what, ...args])
        return given
      }
    const port = { goto: answer("goto", result), restore: answer("restore", result), diff: answer("diff", diff) }
    return { port: port as unknown as Parameters<typeof rewind>[0], asked }
  }

  test("takes the conversation, the files or both", async () => {
    const { port, asked } = session(moved({}))
    for (const mode of ["conversation", "files", "both"] as const)
      await rewind(port, "e1" as never, mode, { onConflict: "ours" })
    expect(asked).toEqual([
      ["goto", "e1", { files: "keep", onConflict: "ours" }],
      ["restore", "e1", { onConflict: "ours" }],
      ["goto", "e1", { files: "restore", onConflict: "ours" }],
    ])
  })

  test("shows first what it would do to the files, from now to then", async () => {
    const changing = session(moved({ files: files(1) }))
    const shown = await dryRun(changing.port, "e1" as never, "both", "theirs")
    expect(shown.patch).toContain("-new\n+old")
    expect(changing.asked).toEqual([
      ["goto", "e1", { files: "restore", dryRun: true, onConflict: "theirs" }],
      ["diff", { from: "e1" }],
    ])
    const refused = session({ outcome: "refused", files: files(1) })
    for (const [{ port }, mode] of [
      [refused, "both"],
      [session(moved({ files: files(1) })), "conversation"],
      [session(moved({})), "both"],
      [session(moved({ files: files(1) }), { outcome: "refused", patch: "x" }), "files"],
    ] as const)
      expect((await dryRun(port, "e1" as never, mode)).patch).toBe("")
    expect(refused.asked).toEqual([["goto", "e1", { files: "restore", dryRun: true }]])
  })
})

test("sessions in which something was said are listed with the best place in each", async () => {
  const asked: unknown[] = []
  const hit = (entry: string) => ({ entry, text: `two ${entry}`, marks: [[0, 3]] })
  const sessions = ["b", "a"].map((session) => ({ session, hits: [hit(`e-${session}`)], words: {} }))
  const find = async (...args: unknown[]) => {
    asked.push(args)
    return { sessions }
  }
  const { signal } = new AbortController()
  expect(await findInContents({ find } as never, "two words", signal)).toEqual([
    { session: "b", ...hit("e-b") },
    { session: "a", ...hit("e-a") },
  ])
  expect(asked).toEqual([[{ text: "two words", limit: 200, ofOne: 1 }, { signal }]])
})
