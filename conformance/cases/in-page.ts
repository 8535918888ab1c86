// The program's session in the page, for cases that drive the program.
import { setTimeout as passed } from "node:timers/promises"
import type { Scripted } from "../model/fake-model.ts"
import { promptIn } from "../model/fake-model.ts"
import type { Program } from "../programs/program.ts"
import type { Ask, Served, Stage } from "../stage.ts"
import { LOOK_MS } from "../waits.ts"
import { converse } from "./conversation.ts"

const SEEN_WITHIN_MS = 60_000

interface State {
  id: string
  status: { running: boolean }
  head: number | null
  live: { approvals: Question[] } | null
}

interface Question {
  approval: string
  grants: { id: string; words: string }[]
}

export const isDriven = ({ driven }: Pick<Program, "driven">) =>
  driven === undefined ? "retcon does not drive it" : undefined

export const movesDriven = ({ stays, ...program }: Program) =>
  isDriven(program) ?? (stays === true ? "retcon does not move in its sessions" : undefined)

/** The program's session in the page. */
export interface Page extends Omit<Served, "ask"> {
  /** Sends a prompt, and returns when it has been answered. */
  say: (prompt: string, answers?: Scripted[], more?: object) => Promise<void>
  /** Sends a prompt whose answer never ends, and returns when that has begun. */
  begin: (prompt: string) => Promise<void>
  /** Asks of the session. */
  ask: Ask
  /** Resolves when nothing runs in it. */
  rests: () => Promise<void>
  /** Resolves with the question that the person is asked. */
  question: () => Promise<Question>
  /** What differs between what the model gets with the next prompt, and what retcon shows. */
  differs: (prompt: string) => Promise<string | undefined>
}

export async function page(
  stage: Stage,
  work: (page: Page) => Promise<string | undefined>,
  { asks = false } = {},
): Promise<string | undefined> {
  await converse(stage)
  return goesOn(stage, work, { asks })
}

/** In the session that is there. */
export function goesOn(
  stage: Stage,
  work: (page: Page) => Promise<string | undefined>,
  { asks = false } = {},
): Promise<string | undefined> {
  return stage.served(
    async (served) => {
      const { sessions } = (await served.ask(`sessions?agent=${stage.program.agent}`)) as { sessions: { id: string }[] }
      return work(inPage(stage, served, sessions[0]?.id ?? ""))
    },
    { asks },
  )
}

export function inPage(stage: Stage, served: Served, session: string): Page {
  const ask: Ask = (path, body) => served.ask(path === "" ? `sessions/${session}` : `sessions/${session}/${path}`, body)
  /** Looks until it is there: what happens in the page is an event, and what is there now an answer. */
  async function seen<Value>(find: (state: State) => Value | undefined, what: string): Promise<Value> {
    for (const end = performance.now() + SEEN_WITHIN_MS; performance.now() < end; await passed(LOOK_MS)) {
      const found = find((await ask("")) as unknown as State)
      if (found !== undefined) return found
    }
    throw new Error(`it did not happen: ${what}`)
  }
  const say: Page["say"] = async (prompt, answers = [{ text: `I heard: ${prompt}` }], more = {}) => {
    stage.model.script(prompt, answers)
    const answer = JSON.stringify(await ask("converse", { text: prompt, wait: true, ...more }))
    const [, seconds] = /can continue this session in (\d+) s/.exec(answer) ?? []
    if (seconds === undefined) {
      if (answer.includes('"outcome":"failed"')) throw new Error(`the turn failed: ${answer}`)
      return
    }
    await passed((Number(seconds) + 1) * 1000)
    await say(prompt, answers, more)
  }
  return {
    ...served,
    say,
    ask,
    async begin(prompt) {
      stage.model.script(prompt, [{ text: "This answer begins, and it never comes to its end.", hangs: true }])
      const since = stage.model.count
      await ask("converse", { text: prompt })
      await stage.model.arrives(since, (said) => promptIn(said, prompt) >= 0)
    },
    rests: async () => void (await seen(({ status }) => !status.running || undefined, "the turn ends")),
    question: () => seen(({ live }) => live?.approvals[0], "it asks"),
    async differs(prompt) {
      const shown = await stage.context()
      const since = stage.model.count
      await say(prompt)
      const sent = stage.model.asked(prompt, since)
      if (sent === undefined) return "the prompt did not reach the model"
      return stage.difference(sent, [...shown, { by: "user", text: prompt }])
    },
  }
}
