// An agent reads forty files, four per step, for one fact, then works for twenty steps; with and without Backtrack.
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { StepRequest } from "../../../src/provider/port/port.ts"
import { answer, given } from "../../child.ts"
import { benchHost, type Calls } from "../host.ts"
import { sentIn } from "../sent.ts"

export interface ExplorationGiven {
  folder: string
}

export interface ExplorationFound {
  with: Sent
  without: Sent
}

export interface Sent {
  requests: number
  tokens: number
  /** In tokens of uncached input: cached ones cost a tenth, writing to the cache a quarter more. */
  cost: number
}

const FILES = 40
const AT_ONCE = 4
const MORE = 20
const NOTE = "The port is set in file-17.ts, line 3, by readConfig: PORT ?? 8080. Nothing else in src touches it."

const { folder } = given() as ExplorationGiven
answer({ with: await explore(true), without: await explore(false) } satisfies ExplorationFound)

async function explore(backtrack: boolean): Promise<Sent> {
  const cwd = join(folder, backtrack ? "with" : "without")
  mkdirSync(cwd, { recursive: true })
  for (let n = 0; n < FILES; n++) writeFileSync(join(cwd, `file-${n}.ts`), fileText(n))
  const requests: StepRequest[] = []
  let step = 0
  const script = (request: StepRequest): Calls => {
    requests.push({ ...request, messages: structuredClone(request.messages) })
    return next(step++, backtrack)
  }
  const host = benchHost({ home: join(folder, `home-${backtrack}`), durability: "fast", backtrack, model: script })
  const session = await host.create({ cwd })
  await session.send({ text: "Find out where the port is set, and move it into a configuration file." })
  await session.close()
  return { requests: requests.length, ...sentIn(requests) }
}

function next(step: number, backtrack: boolean): Calls {
  const explored = FILES / AT_ONCE
  if (step < explored) {
    const calls = Array.from({ length: AT_ONCE }, (_, n) => ({
      name: "Read",
      input: { path: `file-${step * AT_ONCE + n}.ts` },
    }))
    return { text: "Looking on.", calls }
  }
  if (backtrack && step === explored) {
    return { calls: [{ name: "Backtrack", input: { checkpoint_id: 0, note: NOTE } }] }
  }
  const worked = step - explored - (backtrack ? 1 : 0)
  if (worked >= MORE) return { text: "Done." }
  return {
    text: `Step ${worked + 1}.`,
    calls: [{ name: "Write", input: { path: `new-${worked}.ts`, content: "x\n" } }],
  }
}

/** About 1,500 tokens. */
function fileText(n: number): string {
  const lines = Array.from({ length: 120 }, (_, i) => `export const value_${n}_${i} = compute(${i * 7}, "${n}-${i}")`)
  return `${lines.join("\n")}\n`
}
