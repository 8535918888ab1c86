// How long whoever starts a search cannot do anything else meanwhile, for a word in every message. Floor: waiting as long.
import { monitorEventLoopDelay } from "node:perf_hooks"
import { setTimeout } from "node:timers/promises"
import { defaultSettings } from "../../../src/app/config/settings.ts"
import { libraryApart } from "../../../src/app/library/library-apart.ts"
import { everyAgentsStore } from "../../../src/foreign/agents-store.ts"
import { answer, given } from "../../child.ts"
import { interleave, type Repeats } from "../../timing.ts"

export interface SearchPauseGiven extends Repeats {
  home: string
  person: string
  text: string
}

const { home, person, text, ...repeats } = given() as SearchPauseGiven
const store = everyAgentsStore({ home, person: { home: person, env: {} } })
const library = libraryApart({
  home,
  cwd: "/",
  store,
  settings: defaultSettings(),
  made: { name: "bench", version: "0" },
  warn: () => undefined,
})
let took = 0
answer(
  await interleave(
    () => longestPause(() => setTimeout(took)),
    () => longestPause(search),
    repeats,
  ),
)

async function search(): Promise<void> {
  const began = performance.now()
  const { sessions } = await library.find({ text, limit: 50 })
  if (sessions.length === 0) throw new Error("nothing was found")
  took = performance.now() - began
}

/** In milliseconds, beyond what the monitor itself waits. */
async function longestPause(work: () => Promise<unknown>): Promise<number> {
  const resolution = 1
  const delay = monitorEventLoopDelay({ resolution })
  delay.enable()
  await setTimeout(2 * resolution)
  delay.reset()
  await work()
  await setTimeout(2 * resolution)
  delay.disable()
  return Math.max(0.01, delay.max / 1e6 - resolution)
}
