// Endpoints for sending messages: the caller can stream the turn's events, wait for its end, or just start it.
import { z } from "zod"
import { workIn } from "../../protocol/open-to-work.ts"
import type { SessionEventData } from "../../protocol/over-http.ts"
import { json, problem } from "../answer/problem.ts"
import { type ApiRoute, sessionRoute } from "../api/route.ts"
import { ENTRY, EXPECTS, MEDIA, open } from "../api/schemas.ts"
import { EVENT_STREAM, eventText } from "../live/broadcast.ts"
import type { Hub } from "../live/hub.ts"
import { BEGUN, ENDED, failedAs, type MessageEnd } from "./message-end.ts"
import { refusal } from "./operations.ts"
import { sendMessage } from "./sent-message.ts"

/** What a message consists of, and how it is sent. */
export const FIELDS = z.strictObject({
  text: z.string(),
  display: z.string().exactOptional().describe("What the person saw, if the editor abbreviated pasted text."),
  media: MEDIA.exactOptional(),
  shell: z
    .boolean()
    .exactOptional()
    .describe("The text is a shell command to run here. The model sees it and its output later."),
  expects: EXPECTS,
  from: ENTRY.nullable().exactOptional().describe("Go to this entry first. Null: the start."),
  wait: z.boolean().exactOptional().describe("Answer only when the turn has ended."),
})

const BODY = FIELDS.refine(({ text, media = [] }) => text.trim() !== "" || media.length > 0, {
  message: "The message is empty.",
  path: ["text"],
})

const converse = sessionRoute(
  {
    method: "post",
    path: "/converse",
    name: "converse",
    summary: "Send a message to the agent",
    about:
      "Starts a turn, or steers the running one. The turn continues if the client disconnects. With `Accept: text/event-stream` the " +
      "answer is the events of the turn, ending with `end`. With `wait` the answer comes when the turn has ended, even if the message " +
      "only steered it. For a command (`shell`) the answer has its output as `text`, and whether it failed as `error`.",
    body: BODY,
    answers: {
      200: {
        about:
          "With `wait`, or for a command (`shell`): how it ended. As a stream: the events, the last of them `end` with this.",
        schema: ENDED,
        streams: true,
      },
      202: { about: "The turn has started.", schema: BEGUN },
    },
    problems: ["read-only", "session-busy", "moved-elsewhere", "not-found"],
  },
  async ({ request, body: { from, wait, expects, ...input } }, hub) => {
    const session = workIn(hub.session)
    if (from !== undefined) {
      const there = await session.goto(from, { files: "keep", ...(expects !== undefined && { expects }) })
      if (there.outcome === "refused") return refusal(there, session)
    }
    const streams = request.headers.get("accept")?.includes("text/event-stream") === true
    const events = streams ? eventStream(hub) : undefined
    const asked = expects === undefined || from !== undefined ? {} : { expects }
    const sent = sendMessage(hub, input, asked, (told) => events?.tell(told))
    sent.ended.then(
      (answer) => events?.end(answer),
      (error: unknown) => events?.end(failedAs(hub.session, error, hub.state().turn)),
    )
    // The person's own command has no turn to wait for.
    const begun = events !== undefined && input.shell === true ? undefined : await sent.begun
    if (events !== undefined) return new Response(events.stream, { headers: EVENT_STREAM })
    if (wait === true || begun === undefined) return json(await sent.ended)
    return json(begun, 202)
  },
)

/** The events of a message, as a stream that `end` closes. A client that goes away just receives no more. */
function eventStream(hub: Hub): {
  stream: ReadableStream<Uint8Array>
  tell: (told: SessionEventData) => void
  end: (answer: MessageEnd) => void
} {
  const encoder = new TextEncoder()
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  const write = (text: string) => controller?.enqueue(encoder.encode(text))
  return {
    stream: new ReadableStream({
      start(each) {
        controller = each
      },
      cancel() {
        controller = undefined
      },
    }),
    tell: (told) => write(eventText(told.event.type, told, `${hub.generation}.${told.seq}`)),
    end(answer) {
      write(eventText("end", answer))
      controller?.close()
      controller = undefined
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

const answerApproval = sessionRoute(
  {
    method: "post",
    path: "/approvals/{approval}",
    name: "answerApproval",
    summary: "Answer a question of the agent",
    body: z.discriminatedUnion("answer", [
      z.strictObject({ answer: z.literal("once") }),
      z.strictObject({
        answer: z.literal("session").describe("Also allow it from now on, as the grant describes."),
        grant: z.enum(["this", "like", "tool"]).exactOptional().describe("Default: the narrowest grant."),
      }),
      z.strictObject({
        answer: z.literal("no"),
        reason: z.string().exactOptional().describe("A reason for the model."),
      }),
    ]),
    answers: { 200: { about: "Done.", schema: z.object({}) } },
    problems: ["not-asked"],
  },
  async ({ params, body }, { session }) => {
    if (await session.work?.answer(params.approval ?? "", body)) return json({})
    const detail = "This question is no longer open: it was answered elsewhere, or its turn has ended."
    return problem({ status: 409, code: "not-asked", detail, advice: "No action needed." })
  },
)

export const CONVERSE_ROUTES: readonly ApiRoute[] = [
  converse,
  stopRoute("stop", "Stop the running turn"),
  stopRoute("abort", "The same as stop"),
  answerApproval,
]
