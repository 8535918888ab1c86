// Endpoints for sending messages: the caller can stream the turn's events, wait for its end, or just start it.
import { z } from "zod"
import { entryId, NONE } from "../../history/tree/tree.ts"
import { type Advice, adviceList } from "../../model/failure/advice.ts"
import { wordsFor } from "../../model/failure/failure-words.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import { plainText } from "../../model/record/part.ts"
import { type HostEvent, OWN_COMMAND } from "../../protocol/event.ts"
import type { HostSession, PromptInput, SendAnswer } from "../../protocol/host.ts"
import type { SessionEventData } from "../../protocol/over-http.ts"
import { json } from "../answer/problem.ts"
import { type ApiRoute, sessionRoute } from "../api/route.ts"
import { ENTRY, open } from "../api/schemas.ts"
import { EVENT_STREAM, eventText } from "../live/broadcast.ts"
import type { Hub } from "../live/hub.ts"
import { moved } from "./moves.ts"

/** Base64, as it stands in a message. */
const DATA = {
  mediaType: z.string().regex(/^[\w.+-]+\/[\w.+-]+(?:\s*;[^\r\n]{0,200})?$/),
  data: z.string().regex(/^[\w+/-]*={0,2}$/),
}

const MEDIA = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("image"), ...DATA }),
  z.strictObject({ type: z.literal("file"), ...DATA, name: z.string().max(1000).exactOptional() }),
])

const FIELDS = z.strictObject({
  text: z.string(),
  display: z.string().exactOptional().describe("What the person saw, if the editor abbreviated pasted text."),
  media: z.array(MEDIA).exactOptional().describe("Images and files, as parts of a message: `data` is base64."),
  shell: z
    .boolean()
    .exactOptional()
    .describe("The text is a shell command to run here. The model sees it and its output later."),
  from: ENTRY.nullable().exactOptional().describe("Go to this entry first. Null: the start."),
  wait: z.boolean().exactOptional().describe("Answer only when the turn has ended."),
})

const BODY = FIELDS.refine(({ text, media = [] }) => text.trim() !== "" || media.length > 0, {
  message: "There is nothing to say in it.",
  path: ["text"],
})

const BEGUN = z.object({
  turn: z.int().describe("The number of the turn in its events."),
  entry: z.string().nullable().describe("The prompt."),
  steers: z.boolean().describe("A turn was already running, and the message steers it."),
})

const ENDED = open({
  turn: z.int(),
  outcome: z.enum(["done", "steered", "stopped", "withdrawn", "failed"]),
  entry: z.string().nullable().describe("The prompt."),
  head: z.string().nullable().describe("The head now. A later message can pass it as `from`."),
  text: z.string().exactOptional().describe("The last text of the model."),
})

type Begun = z.infer<typeof BEGUN>

const converse = sessionRoute(
  {
    method: "post",
    path: "/converse",
    name: "converse",
    summary: "Send a message to the agent",
    about:
      "Starts a turn, or steers the running one. The turn continues if the client disconnects. With `Accept: text/event-stream` the " +
      "answer is the events of the turn, ending with `end`. With `wait` the answer comes when the turn has ended.",
    body: BODY,
    answers: {
      200: {
        about:
          "With `wait`, or of a command (`shell`): how it ended. As a stream: the events, the last of them `end` with this.",
        schema: ENDED,
        streams: true,
      },
      202: { about: "The turn has started.", schema: BEGUN },
    },
    problems: ["read-only", "session-busy", "not-found"],
  },
  async ({ request, body: { from, wait, ...input } }, hub) => {
    // Where nothing can be sent, `send` refuses, and the session must not have moved.
    if (from !== undefined && hub.session.access.can === "all") {
      const there = await hub.session.goto(from, { files: "keep" })
      if (there.outcome === "refused") return moved(there)
    }
    const streams = request.headers.get("accept")?.includes("text/event-stream") === true
    const events = streams ? turnEvents(hub, input) : undefined
    const sent = send(hub, input)
    sent.ended.then(
      (answer) => events?.end(answer),
      (error: unknown) => events?.end(failedAs(hub, error)),
    )
    // The person's own command has no turn to wait for.
    const begun = events !== undefined && input.shell === true ? undefined : await sent.begun
    if (events !== undefined) return new Response(events.stream, { headers: EVENT_STREAM })
    if (wait === true || begun === undefined) return json(await sent.ended)
    return json(begun, 202)
  },
)

type Ended = z.infer<typeof ENDED>

/**
 * Contract: `begun` rejects with the reason if the turn could not begin; undefined if it ended without beginning. Only a
 * `steer-queued` that comes during the call of `send` is about this message: later ones are about other clients' messages.
 */
function send(hub: Hub, input: PromptInput): { begun: Promise<Begun | undefined>; ended: Promise<Ended> } {
  let begin: (begun: Begun) => void = () => undefined
  const begun = new Promise<Begun>((settle) => (begin = settle))
  let [sending, starts] = [true, input.shell !== true]
  const forget = hub.on(({ turn, event }) => {
    if (starts && isTurnStart(event)) begin({ turn, entry: event.entry, steers: false })
    if (!sending || event.type !== "steer-queued") return
    starts = false
    begin({ turn, entry: null, steers: true })
  })
  const ended = hub.session.send(input).finally(forget)
  sending = false
  const answer = ended.then((each) => endedAs(hub, each))
  answer.catch(() => undefined)
  return { begun: Promise.race([begun, answer.then(() => undefined)]), ended: answer }
}

function isTurnStart(event: HostEvent): event is Extract<HostEvent, { type: "turn-start" }> {
  return event.type === "turn-start" && event.task === undefined
}

function endedAs(hub: Hub, answer: SendAnswer): Ended {
  const { session } = hub
  const { turn } = hub.state()
  const head = entryId(session.history, session.head)
  switch (answer.outcome) {
    case "failed":
      return { turn, outcome: "failed", entry: null, head, message: answer.message, advice: adviceList(answer.advice) }
    case "withdrawn":
      return { turn, outcome: "withdrawn", entry: null, head, input: answer.input }
    case "done":
    case "steered":
    case "stopped":
      return { turn, outcome: answer.outcome, entry: answer.entry, head, text: lastWords(session) }
  }
}

/** A failure after the stream began: too late for a problem response. */
function failedAs(hub: Hub, error: unknown): Ended {
  const { message, advice }: { message: string; advice: Advice } =
    error instanceof RetconError
      ? wordsFor(error.failure)
      : { message: error instanceof Error ? error.message : String(error), advice: "" }
  return endedAs(hub, { outcome: "failed", message, advice })
}

function lastWords({ history, head }: HostSession): string {
  for (let row = head; row !== NONE && !history.isPrompt(row); row = history.parent(row)) {
    const record = history.record(row)
    const said = record?.type === "message" && record.role === "assistant" ? plainText(record.content) : ""
    if (said !== "") return said
  }
  return ""
}

/** The events of the running or next turn, or of the person's own command, until `end` is called. */
function turnEvents(
  hub: Hub,
  { text: command, shell }: PromptInput,
): { stream: ReadableStream<Uint8Array>; end: (answer: Ended) => void } {
  const encoder = new TextEncoder()
  let turn: number | undefined
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  const tell = (text: string) => controller?.enqueue(encoder.encode(text))
  let call: string | undefined
  function isOurs({ event, turn: of }: SessionEventData): boolean {
    if (shell !== true) {
      if (isTurnStart(event) || event.type === "steer-queued") turn ??= of
      return of === turn
    }
    if (event.type === "tool-start" && event.name === OWN_COMMAND && event.title === command) call ??= event.call
    return call !== undefined && "call" in event && event.call === call
  }
  const forget = hub.on((told: SessionEventData) => {
    if (isOurs(told)) tell(eventText(told.event.type, told, `${hub.generation}.${told.seq}`))
  })
  const leave = () => {
    forget()
    controller = undefined
  }
  return {
    stream: new ReadableStream({
      start(each) {
        controller = each
      },
      cancel: leave,
    }),
    end(answer) {
      const last = controller
      tell(eventText("end", answer))
      leave()
      last?.close()
    },
  }
}

const stopRoute = (name: "stop" | "abort", summary: string) =>
  sessionRoute(
    {
      method: "post",
      path: `/${name}`,
      name,
      summary,
      answers: {
        200: {
          about: "What was stopped. If nothing was visible yet, the prompt comes back.",
          schema: open({ stopped: z.boolean() }),
        },
      },
    },
    async (_, { session }) => json(await session.stop()),
  )

export const CONVERSE_ROUTES: readonly ApiRoute[] = [
  converse,
  stopRoute("stop", "Stop the running turn"),
  stopRoute("abort", "The same as stop"),
]
