// Works in a session until it is killed: appends, moves, labels, compactions, what is left out. Prints what each step wrote once it is acknowledged.
// Waits for a line on stdin first, so that it can be started before it is needed.
import { writeSync } from "node:fs"
import { createInterface } from "node:readline"
import { COMPACTION_LIMITS } from "../../../src/history/plan/plan-compact.ts"
import { answerDraft, type EntryDraft, fileStore, promptDraft, sessionOn, toolDraft } from "../../../src/index.ts"
import { systemOptions } from "../../../src/session/state/system.ts"

const [file = "", home = "", seed = "1"] = process.argv.slice(2)
await new Promise((done) => createInterface({ input: process.stdin }).once("line", done))

const parts = { ...systemOptions(), durability: "fast" as const }
const store = fileStore({ home })
const session = sessionOn(store, await store.openFile(file), parts)

function tell(): void {
  const { history } = session
  writeSync(1, `${JSON.stringify({ rows: history.size, last: history.id(history.size - 1), head: session.head })}\n`)
}

let state = Number(seed)
function random(below: number): number {
  state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
  return (state >>> 8) % below
}
const text = (length: number) => "wörk ✓ ".repeat(Math.ceil(length / 7))

function drafts(): EntryDraft[] {
  switch (random(6)) {
    case 0:
      return Array.from({ length: 150 }, (_, i) => answerDraft(`${i} of many`))
    case 1:
      return [promptDraft(text(50)), answerDraft(text(30_000))]
    case 2:
      return Array.from({ length: 100 }, () => answerDraft(text(20_000)))
    case 3:
      return [toolDraft([{ type: "tool-result", call: "1", output: text(40_000 + random(40_000)) }])]
    default:
      return [promptDraft(text(20)), answerDraft("an answer")]
  }
}

const LIMITS = { ...COMPACTION_LIMITS, keepRounds: 1, keepTokens: 0 }
const steps: (() => Promise<unknown>)[] = [
  () => session.append(drafts()),
  () => session.append(drafts()),
  () => session.append(drafts(), { durable: true }),
  () => session.back(),
  () => session.undo(),
  () => session.redo(),
  () => session.goto(null),
  () => session.label("head", `label ${random(100)}`),
  () => session.configure("title", text(30)),
  () => session.goto(null, { summary: text(200) }),
  () => session.compact({ limits: LIMITS, summarise: () => text(500) }),
  () => session.append([promptDraft(text(10)), { type: "checkpoint", n: session.nextCheckpoint() }]),
  () => session.backtrack({ checkpoint: session.nextCheckpoint() - 1, note: text(40) }),
  () => session.append(promptDraft("refused")).then(([id = ""]) => session.omit(id)),
]

for (;;) {
  const step = steps[random(steps.length)]
  if (step === undefined || (session.head === null && step !== steps[0])) await session.append(drafts())
  else await step()
  tell()
}
