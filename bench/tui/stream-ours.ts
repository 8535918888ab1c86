// The whole terminal UI over a real host and a log on disk, with a model that streams at a fixed pace.
import type { SessionId } from "../../src/model/id.ts"
import type { Host, HostSession } from "../../src/protocol/host.ts"
import { workIn } from "../../src/protocol/open-to-work.ts"
import type { ModelEvent } from "../../src/provider/port/port.ts"
import { runTui } from "../../src/tui/app/tui.ts"
import { SEQUENCE, type TerminalHandlers } from "../../src/tui/terminal/port.ts"
import { benchHost } from "../agent/host.ts"
import { COLUMNS, makeTypist, pace, ROWS, type Typist } from "./stub-terminal.ts"

export interface OurStream {
  typist: Typist
  stream(tokens: readonly string[], perSecond: number): Promise<void>
}

export async function openOurs(home: string, cwd: string, id: SessionId): Promise<OurStream> {
  let input: TerminalHandlers["input"] = () => undefined
  const typist = makeTypist((data) => input(data))
  let answer: (take: (event: ModelEvent) => void) => Promise<string> = async () => ""
  const model = { id: "bench/stream", window: 200_000, maxOutput: undefined, step }
  const host = benchHost({ home, durability: "fast", backtrack: true, tools: [], model })
  const session = await host.open(id)
  let ready: () => void = () => undefined
  const shown = new Promise<void>((settle) => (ready = settle))
  void runTui({
    host: only(host, session),
    terminal: {
      columns: COLUMNS,
      rows: ROWS,
      start: (handlers) => {
        input = (data) => handlers.input(data)
      },
      stop: () => undefined,
      write(text) {
        if (text.startsWith(SEQUENCE.beginFrame)) typist.wrote()
        if (/round \d/.test(text)) ready()
      },
    },
    cwd,
    start: { kind: "resume", id },
    now: () => Date.now(),
    elapsed: () => performance.now(),
    colours: true,
    notify: "none",
    find: () => Promise.reject(new Error("nothing is searched")),
    exportSession: async () => "",
    doctor: async () => () => [],
  })
  await shown

  async function* step(): AsyncGenerator<ModelEvent> {
    const events: ModelEvent[] = []
    let wake: () => void = () => undefined
    const put = (event: ModelEvent) => {
      events.push(event)
      wake()
    }
    void answer(put).then((text) =>
      put({ type: "finish", reason: "stop", content: [{ type: "text", text }], usage: { input: 1, output: 1 } }),
    )
    for (;;) {
      const event = events.shift()
      if (event === undefined) await new Promise<void>((settle) => (wake = settle))
      else yield event
      if (event?.type === "finish") return
    }
  }

  return {
    typist,
    async stream(tokens, perSecond) {
      answer = async (take) => {
        await pace(tokens, perSecond, (token) => take({ type: "text-delta", text: token }))
        return tokens.join("")
      }
      await workIn(session).send({ text: "go on" })
    },
  }
}

/** The same session is shown and sent to. */
function only(host: Host, session: HostSession): Host {
  return { ...host, open: async () => session }
}
