// One of each failure at least, for tests that walk all of them.
import type { Failure, FailureCode } from "../../src/model/failure/failure.ts"
import type { EntryId } from "../../src/model/id.ts"

const ID = "01890000-0000-7000-8000-000000000001" as EntryId

type Sample<Code extends FailureCode> = Omit<Extract<Failure, { code: Code }>, "code">

/** At least one of each code: a new code without a sample does not compile. */
const SAMPLES: { [Code in FailureCode]: Sample<Code>[] } = {
  "at-start": [{ rounds: 0 }, { rounds: 1 }],
  "too-few-rounds": [
    { asked: 9, possible: 1 },
    { asked: 9, possible: 4 },
  ],
  "nothing-to-undo": [{}],
  "nothing-to-redo": [{}],
  "nothing-to-compact": [{}],
  "perhaps-running": [{ session: "01890000-0000-7000-8000-000000000001", agent: "pi" }],
  "not-honoured": [
    {
      agent: "opencode",
      problem: "opencode always continues where a session ends.",
      advice: ["Or: ", { do: "split" }],
    },
  ],
  "not-found": [
    ...(
      [
        "session",
        "session in the trash",
        "session of the folder",
        "entry",
        "record",
        "checkpoint",
        "file",
        "folder",
        "key",
      ] as const
    ).map((what) => ({
      what,
      name: "x",
    })),
    { what: "checkpoint", name: "9", possible: ["0", "1"] },
    { what: "entry", name: "@9", possible: [] },
  ],
  ambiguous: [{ what: "entry", name: "abcdef", matches: ["1abcdef", "2abcdef"] }],
  "no-session": [
    { cwd: "/home/you/project", found: [] },
    { cwd: "/home/you/project", found: [], unreadable: 2 },
    { cwd: "/home/you/project", found: [{ id: "1", agent: "claude-code", title: "Fix the parser" }] },
    { cwd: "/home/you/project", found: [], moved: "/home/you/old place" },
  ],
  invalid: [{ problem: "The number is not one.", advice: "Use 1, 2, 3, …" }],
  unrelated: [{ a: "7b0c26", b: "head" }],
  "moved-elsewhere": [
    { head: null },
    { head: ID, did: { kind: "back", by: "person", via: "command-line", rounds: 2 } },
    { head: ID, did: { kind: "goto", by: "person", via: "page", rounds: -1, text: "Fix the parser" } },
  ],
  "session-busy": [
    { session: "s", pid: 4121 },
    { session: "s", pid: 0 },
    { session: "01890000-0000-7000-8000-000000000001", pid: 4121, agent: "claude-code" },
  ],
  "turn-ended": [{}],
  exists: [{ path: "a.jsonl" }],
  "format-newer": [{ path: "a.jsonl", reads: 2 }],
  "read-only": (["format", "folder", "foreign"] as const).map((because) => ({ path: "a.jsonl", because })),
  damaged: [{ path: "a.jsonl", line: 7, problem: "not JSON" }],
  "not-a-session": [{ path: "a.jsonl", problem: "line 1 is not a session record" }],
  "disk-full": [{ path: "a.jsonl" }],
  vanished: [{ path: "a.jsonl" }, { path: "a.jsonl", kept: "01890000-0000-7000-8000-000000000001" }],
  overwritten: [{ path: "a.jsonl" }],
  io: [{ path: "a.jsonl", problem: "input/output error" }],
  "not-printed": [{ problem: "ENOSPC: no space left on device, write" }],
  "no-workspace": [{ reason: "git is not installed" }, { reason: "it is gone", advice: ["Run: ", { do: "gc" }] }],
  "snapshot-gone": [{ snapshot: "abc" }],
  conflicts: [
    { paths: ["a.txt"] },
    { paths: ["a.txt", "b.txt"] },
    { paths: ["a.png"], choices: ["ours", "theirs"] },
    { paths: ["d"], blocked: [{ path: "d", by: "d/mine.log" }], choices: ["ours"] },
  ],
  "too-many-files": [
    { folder: "/home/you", files: 200_001, limit: 200_000 },
    { folder: "/home/you", files: 0, limit: 0 },
  ],
  "unsafe-path": [{ path: "../a", problem: "it leads out of the workspace" }],
  "restore-failed": [
    { problem: "no permission", path: "a", rolledBack: true },
    { problem: "no permission", path: "a", rolledBack: false },
  ],
}

export const FAILURES = Object.entries(SAMPLES).flatMap(([code, samples]) =>
  samples.map((sample) => ({ code, ...sample }) as Failure),
)
