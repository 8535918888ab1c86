// From a person's Stop until the provider's connection is closed, while the provider keeps sending.
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { sdkModel } from "../../../src/provider/ai-sdk/model.ts"
import { Key } from "../../../src/provider/catalogue/key.ts"
import { timerSleep } from "../../../src/provider/port/timing.ts"
import { answer, given } from "../../child.ts"
import { median } from "../../timing.ts"
import { benchHost } from "../host.ts"

export interface StopGiven {
  home: string
  cwd: string
  samples: number
}

/** In milliseconds: the slowest, and the median. */
export interface StopFound {
  ours: number
  floor: number
}

const { home, cwd, samples } = given() as StopGiven
const EVENT = `data: ${JSON.stringify({ id: "1", choices: [{ index: 0, delta: { content: "and on " } }] })}\n\n`
const EVENTS = 60

let closed: (at: number) => void = () => undefined
const server = createServer((_, response) => {
  response.writeHead(200, { "content-type": "text/event-stream" })
  const timer = setInterval(() => response.write(EVENT), 5)
  response.on("close", () => {
    clearInterval(timer)
    closed(performance.now())
  })
})
await new Promise<void>((settle) => server.listen(0, "127.0.0.1", settle))
const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
const endpoint = {
  provider: "endless",
  name: "endless",
  kind: "openai-compatible",
  baseUrl,
  key: new Key("none"),
} as const
const model = sdkModel({
  endpoint,
  facts: {},
  fetch,
  timing: { now: () => Date.now(), random: () => 0, sleep: timerSleep },
})
const host = benchHost({ home, durability: "sync", backtrack: true, model })
const took: number[] = []
for (let n = 0; n < samples; n++) took.push(await stopOnce())
answer({ ours: Math.max(...took), floor: median(took) } satisfies StopFound)
process.exit(0)

/** Garbage is collected first: what the network code holds only weakly is gone by then. */
async function stopOnce(): Promise<number> {
  const session = await host.create({ cwd })
  const gone = new Promise<number>((settle) => (closed = settle))
  let deltas = 0
  const streaming = new Promise<void>((settle) =>
    session.on(({ event: { type } }) => {
      if (type === "text-delta" && ++deltas === EVENTS) settle()
    }),
  )
  const sent = session.send({ text: "go" })
  await streaming
  globalThis.gc?.()
  const start = performance.now()
  void session.stop()
  const end = await gone
  await sent
  await session.close()
  return end - start
}
