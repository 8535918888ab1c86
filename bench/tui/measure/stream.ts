// An answer of 200 tokens per second into a conversation of 5,000 messages, while someone types. Floor: pi-tui alone
// with the same text and the same keys, in an empty conversation.

import { createSession } from "../../../src/session/session.ts"
import { answerDraft, promptDraft } from "../../../src/session/state/draft.ts"
import { systemOptions } from "../../../src/session/state/system.ts"
import { fileStore } from "../../../src/store/file/file-store.ts"
import { answer, given } from "../../child.ts"
import { median } from "../../timing.ts"
import { openOurs } from "../stream-ours.ts"
import { openPi } from "../stream-pi.ts"
import type { Typist } from "../stub-terminal.ts"
import { tokensOf } from "../text.ts"

export interface StreamGiven {
  home: string
  cwd: string
  messages: number
  perSecond: number
  seconds: number
  samples: number
  warmUp: number
}

/** For one implementation: CPU in ms per second, CPU in ms per frame, key to write in ms at p99. */
interface Sampled {
  cpu: number
  frame: number
  key: number
}

export interface StreamFound {
  ours: Sampled
  floor: Sampled
}

const { home, cwd, messages, perSecond, seconds, samples, warmUp } = given() as StreamGiven
const tokens = tokensOf(perSecond * seconds)
const ours = await openOurs(home, cwd, await makeConversation())
const floor = openPi()
const found = { ours: [] as Sampled[], floor: [] as Sampled[] }
const keys = { ours: [] as number[], floor: [] as number[] }
for (let n = 0; n < warmUp + samples; n++) {
  for (const [who, streams] of [
    ["floor", floor],
    ["ours", ours],
  ] as const) {
    const sampled = await sample(streams)
    if (n < warmUp) continue
    found[who].push(sampled)
    keys[who].push(...streams.typist.latencies)
  }
}
answer({ ours: summed("ours"), floor: summed("floor") } satisfies StreamFound)
process.exit(0)

async function sample(streams: { typist: Typist; stream: typeof ours.stream }): Promise<Sampled> {
  globalThis.gc?.({ type: "minor" })
  const before = process.cpuUsage()
  streams.typist.start()
  await streams.stream(tokens, perSecond)
  streams.typist.stop()
  const { user, system } = process.cpuUsage(before)
  const cpu = (user + system) / 1000
  return { cpu: cpu / seconds, frame: cpu / streams.typist.writes, key: 0 }
}

function summed(who: "ours" | "floor"): Sampled {
  const of = (key: keyof Sampled) => median(found[who].map((each) => each[key]))
  const sorted = keys[who].sort((a, b) => a - b)
  return { cpu: of("cpu"), frame: of("frame"), key: sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN }
}

async function makeConversation() {
  const parts = { ...systemOptions(), durability: "fast" as const }
  const session = await createSession(fileStore({ home }), { cwd, made: { name: "bench", version: "1" } }, parts)
  const words = tokensOf(200).join("")
  for (let n = 0; n < messages; n += 2) await session.append([promptDraft(`prompt ${n}`), answerDraft(words)])
  await session.close()
  return session.id
}
