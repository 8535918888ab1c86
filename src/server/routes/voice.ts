// Endpoints for a session's voice log, and for what a browser's speech recognition heard.
import { z } from "zod"
import { RetconError } from "../../model/failure/retcon-error.ts"
import type { SessionContents } from "../../protocol/host.ts"
import { spoken } from "../../voice/spoken.ts"
import type { VoiceLog } from "../../voice/voice-log.ts"
import { json } from "../answer/problem.ts"
import { type ApiRoute, sessionRoute } from "../api/route.ts"
import { open } from "../api/schemas.ts"
import type { ServerDeps } from "../api/server-deps.ts"

const LINE = open({
  line: z.int().describe("From 1, without gaps."),
  at: z.string(),
  by: z.enum(["person", "voice", "retcon"]),
  text: z.string(),
})

export const VOICE_ROUTES: readonly ApiRoute[] = [
  sessionRoute(
    {
      method: "get",
      path: "/voice",
      name: "getVoiceLog",
      summary: "The voice log of this session; going back never changes it",
      answers: {
        200: {
          about: "The whole log, oldest first. `live`: a voice model is available on the WebSocket /api/voice.",
          schema: open({ lines: z.array(LINE), live: z.boolean() }),
        },
      },
    },
    async ({ at }, { session }) =>
      json({ lines: await logOf(at, session).read(), live: at.options.voice?.model !== undefined }),
  ),
  sessionRoute(
    {
      method: "post",
      path: "/voice",
      name: "postVoice",
      summary: "Act on a spoken sentence: a command such as “go back”, or else a prompt",
      about:
        "The sentence is written to the voice log before retcon acts on it, and stays there. A refusal is also a normal answer.",
      body: z.strictObject({ text: z.string().trim().min(1).max(20_000).describe("The sentence as recognised.") }),
      answers: {
        200: {
          about: "The result, as a sentence to speak.",
          schema: open({
            action: z.enum(["converse", "go_back", "redo", "stop", "approve"]),
            answer: open({ ok: z.boolean(), say: z.string() }),
            lines: z.array(LINE).describe("The new entries of the voice log."),
          }),
        },
      },
    },
    async ({ at, body }, { session }) => json(await spoken(session, logOf(at, session), body.text)),
  ),
]

function logOf({ options }: ServerDeps, { id }: SessionContents): VoiceLog {
  if (options.voice !== undefined) return options.voice.logs(id)
  throw new RetconError({
    code: "invalid",
    problem: "This server keeps no voice log.",
    advice: "Type the prompt instead.",
  })
}
