// The words about what a move with files brings back, and what it leaves because too little is recorded.
import { expect, test } from "vitest"
import type { EntryId } from "../../src/model/id.ts"
import type { RoundGap } from "../../src/model/move/file-gaps.ts"
import { bringsBack, copiedLine, gapLines, isWhole } from "../../src/model/move/gap-words.ts"

const round = (gap: Partial<RoundGap>): RoundGap => ({
  prompt: "p" as EntryId,
  named: [],
  commands: 0,
  agents: 0,
  others: 0,
  ...gap,
})
const gaps = (...rounds: Partial<RoundGap>[]) => ({ gaps: { agent: "claude-code", rounds: rounds.map(round) } })
const NOTHING = { files: [], kept: [], notCovered: [] }
const files = (...paths: string[]) => ({ files: paths.map((path) => ({ path, change: "modified" })) })

test.each<[gap: ReturnType<typeof gaps>, lines: string[]]>([
  [
    gaps({ commands: 3 }),
    ["3 shell commands ran in a round without snapshots: what they changed is not known, and stays."],
  ],
  [
    gaps({ commands: 1 }),
    ["1 shell command ran in a round without snapshots: what it changed is not known, and stays."],
  ],
  [
    gaps({ commands: 1 }, { commands: 1, agents: 1, others: 2 }),
    [
      "2 shell commands, 1 sub-agent and 2 other tool calls ran in 2 rounds without snapshots: what they changed is not known, and stays.",
    ],
  ],
  [
    gaps({ commands: 1 }, { commands: 1, partly: true }),
    ["2 shell commands ran in 2 rounds with missing snapshots: what they changed is not known, and stays."],
  ],
  [gaps({ others: 1 }), ["1 tool call ran in a round without snapshots: what it changed is not known, and stays."]],
  [
    gaps({ named: ["a"] }, { named: ["a", "b"] }),
    ["What Claude Code changed in a and b stays: what they contained before is not recorded."],
  ],
])("a gap is named: %j", (gap, lines) => {
  expect(gapLines(gap)).toEqual(lines)
})

test("the choice says what comes back and what stays, and nothing if everything comes back", () => {
  expect(isWhole({ ...NOTHING })).toBe(true)
  expect(bringsBack({ ...NOTHING, ...files("a") })).toBeUndefined()
  const kept = [{ path: "mine", because: "changed-since" as const }]
  expect([
    bringsBack({ ...NOTHING, ...files("a"), ...gaps({ commands: 2 }) }),
    bringsBack({ ...NOTHING, ...gaps({ commands: 1 }) }),
    bringsBack({ ...NOTHING, ...files("a", "b"), kept }),
    bringsBack({ ...NOTHING, ...files("a"), kept, ...gaps({ named: ["a", "c"], commands: 1 }) }),
    bringsBack({ ...NOTHING, ...files("a"), ...gaps({ named: ["a"] }) }),
  ]).toEqual([
    "1 file comes back; what 2 shell commands changed stays.",
    "No change to files is known since then; what 1 shell command changed stays.",
    "2 files come back; 1 file stays.",
    "1 file comes back; 2 files and what 1 shell command changed stay.",
    "1 file comes back, in part.",
  ])
})

test("files from copies are named, the first few of many", () => {
  const paths = Array.from({ length: 10 }, (_, i) => `f${i}`)
  const line = copiedLine({ copied: { agent: "claude-code", paths } })
  expect(line).toContain("made: f0, f1, f2, f3, f4, f5, f6, f7 and 2 more.")
  expect(copiedLine({})).toBeUndefined()
})
