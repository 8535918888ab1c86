// How long whoever starts a search cannot do anything else meanwhile, for a word in every message. Floor: waiting as long.
import { monitorEventLoopDelay } from "node:perf_hooks"
import { setTimeout } from "node:timers/promises"
import { searchApart } from "../../../src/app/search/search-apart.ts"
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
  const options = { text, cases: "any", most: 50 } as const
  let hits = 0
  for await (const found of searchApart({ home, store }, {}, options, new AbortController().signal))
    hits += found.hits.length
  if (hits === 0) throw new Error("nothing was found")
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
