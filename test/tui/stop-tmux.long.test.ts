// Stopping the built program on a real terminal, at the moments that a person meets: each time the next prompt works.
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, test, vi } from "vitest"
import { LONGEST } from "../within.ts"
import { hasTmux, openPane, type Pane, RETCON } from "./tmux.ts"

/** Nothing runs and nothing is asked, whatever the editor holds. */
const RESTS = /^(?![\s\S]*esc stops)[\s\S]*─\n❯ [^\n]*\n(?: {2}[^\n]*\n)*─+\n (round|new session)/
/** The shell waits, with nothing below. */
const SHELL = /\n[$#]\s*$/
const LONG = { timeout: LONGEST, interval: 20 }

/** A command that runs until it is stopped, known by a name of its own. */
const loop = (name: string) => `run echo > ${name}; while sleep 0.05; do echo > ${name}; done`

interface Moment {
  mode?: "default"
  /** What is typed, a line at a time, each once the text before it is there. */
  types: (readonly [line: string, comes: string | RegExp])[]
  /** The command that runs then. */
  runs?: string
  /** What Esc leaves in the editor. */
  returns?: RegExp
}

const MOMENTS: Record<string, Moment> = {
  thinking: {
    types: [[`think about ${"a b c d ".repeat(100)}`, /Thinking.*esc stops/]],
    returns: /❯ think about/,
  },
  text: { types: [["count to 400", /\b25\b/]] },
  "a tool": { types: [[loop("first-loop"), "esc stops"]], runs: "first-loop" },
  "an approval": { mode: "default", types: [["run touch asked", /Waiting for your answer/]] },
  "a queued message": {
    types: [
      [loop("second-loop"), "esc stops"],
      ["and then stop", "queued: and then stop"],
    ],
    runs: "second-loop",
    returns: /❯ and then stop/,
  },
  "a command of one's own": { types: [["!echo mine; sleep 60", /\bmine\n/]] },
}

async function start(words = "--mode yolo --model practice"): Promise<Pane> {
  const pane = openPane(80, 40)
  pane.type(`${RETCON} ${words}`)
  pane.press("Enter")
  await pane.sees(/new session|─\n round \d/)
  return pane
}

async function types(pane: Pane, line: string, comes: string | RegExp): Promise<void> {
  pane.type(line)
  pane.press("Enter")
  await pane.sees(comes)
}

let said = 0
/** What came back is cleared, and a prompt is answered. */
async function goesOn(pane: Pane): Promise<void> {
  await pane.rests(RESTS)
  if (!/\n❯ (Ask[^\n]*|)\n─+\n (round|new session)/.test(pane.screen())) pane.press("C-c")
  await pane.rests(/\n❯ (Ask[^\n]*|)\n─+\n (round|new session)/)
  const text = `next-${++said}`
  await types(pane, `say ${text}`, new RegExp(`\\n${text}\\n`))
  await pane.rests(RESTS)
}

const runs = (pane: Pane, name: string) => vi.waitUntil(() => existsSync(join(pane.cwd, name)), LONG)

/** No process has the name in its words any more. */
const isGone = (name: string) =>
  vi.waitUntil(
    () =>
      !readdirSync("/proc")
        .filter((pid) => /^\d+$/.test(pid))
        .some((pid) => wordsOf(pid).includes(`echo > ${name}`)),
    LONG,
  )

function wordsOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8")
  } catch {
    return ""
  }
}

describe.skipIf(!hasTmux())("in tmux", () => {
  test("Esc in every moment of a turn stops it, returns what was not answered, and the session continues", async () => {
    const pane = await start()
    for (const { mode, types: lines, runs: command, returns } of Object.values(MOMENTS)) {
      if (mode !== undefined) await types(pane, `/mode ${mode}`, /asks/)
      for (const [line, comes] of lines) await types(pane, line, comes)
      if (command !== undefined) await runs(pane, command)
      pane.press("Escape")
      await pane.rests(RESTS)
      if (returns !== undefined) await pane.sees(returns)
      if (mode !== undefined) await types(pane, "/mode yolo", /without asking/)
      if (command !== undefined) await isGone(command)
      await goesOn(pane)
    }
    await types(pane, "/compact", /Compacting the conversation|Compacted/)
    pane.press("Escape")
    await pane.sees(/stopped|Compacted/)
    await goesOn(pane)
  })

  test("/back and /undo in mid-stream: the prompt comes back, and the session continues", async () => {
    const pane = await start()
    await goesOn(pane)
    for (const move of ["/back", "/undo"]) {
      await types(pane, "count to 400", /\b25\b/)
      await types(pane, move, /\n❯ count to 400\n─+\n round 1 of/)
      pane.press("C-c")
      await goesOn(pane)
      await types(pane, "/undo", /\n❯ say next-\d+\n─/)
      pane.press("C-c")
    }
  })

  test.each([
    ["Ctrl-D", [["C-d"]]],
    ["Ctrl-C, and Ctrl-C twice", [["C-c"], ["C-c", "C-c"]]],
  ])("%s in mid-tool leaves: the command is gone, and -c continues", async (_, keys) => {
    const pane = await start()
    await types(pane, loop("last-loop"), "esc stops")
    await runs(pane, "last-loop")
    for (const pressed of keys) {
      pane.press(...pressed)
      if (pressed !== keys.at(-1)) await pane.rests(RESTS)
    }
    await pane.sees(SHELL)
    await isGone("last-loop")
    pane.type(`${RETCON} -c --mode yolo --model practice`)
    pane.press("Enter")
    await pane.sees(/─\n round 1/)
    await goesOn(pane)
  })
})
