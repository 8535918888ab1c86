// Gemini Live as a LiveModel. The key stays in this process; the page only sends and receives audio.
import type { LiveServerMessage, Session } from "@google/genai"
import type { Json } from "../model/json.ts"
import { inputOf, VOICE_FUNCTIONS } from "./functions.ts"
import type { LiveConnection, LiveEvents, LiveModel } from "./live-model.ts"

export interface GeminiLiveOptions {
  key: string
  model?: string
  /** Where to reach the API, if not at Google. */
  baseUrl?: string
  /** Milliseconds that the service has to answer. */
  patience?: number
}

const PATIENCE = 15_000

export const GEMINI_LIVE_MODEL = "gemini-live-2.5-flash-preview"

export function geminiLive(options: GeminiLiveOptions): LiveModel {
  const { key, model = GEMINI_LIVE_MODEL, baseUrl, patience = PATIENCE } = options
  return {
    async connect(instructions, told) {
      // Loaded on demand: half a megabyte that only voice needs.
      const { GoogleGenAI, Modality } = await import("@google/genai")
      const api = new GoogleGenAI({ apiKey: key, ...(baseUrl !== undefined && { httpOptions: { baseUrl } }) })
      // The service's words may quote the address, which contains the key.
      const line = liveLine<Session>(told, (words) => words.replaceAll(key, "…"))
      const connecting = api.live.connect({
        model,
        config: {
          responseModalities: [Modality.AUDIO],
          inputAudioTranscription: {},
          outputAudioTranscription: {},
          systemInstruction: instructions,
          tools: [
            {
              functionDeclarations: VOICE_FUNCTIONS.map(({ name, description, parameters }) => ({
                name,
                description,
                parametersJsonSchema: parameters,
              })),
            },
          ],
        },
        callbacks: {
          onmessage: (message) => tellAll(message, told),
          onerror: ({ message }: { message?: string }) => line.failed(message),
          onclose: ({ reason }: { reason?: string }) => line.closed(reason),
        },
      })
      return connection(await line.open(connecting, patience), () => line.closing())
    },
  }
}

function tellAll({ serverContent, toolCall }: LiveServerMessage, told: LiveEvents): void {
  if (serverContent?.inputTranscription?.text !== undefined) told.heard(serverContent.inputTranscription.text)
  for (const { inlineData } of serverContent?.modelTurn?.parts ?? []) {
    if (inlineData?.data !== undefined) told.audio(Buffer.from(inlineData.data, "base64"))
  }
  if (serverContent?.outputTranscription?.text !== undefined) told.said(serverContent.outputTranscription.text)
  if (serverContent?.interrupted === true) told.interrupted()
  if (serverContent?.turnComplete === true) told.turnEnd()
  for (const { id = "", name = "", args } of toolCall?.functionCalls ?? [])
    told.call({ id, name, input: inputOf(args) })
}

function connection(session: Session, closing: () => void): LiveConnection {
  return {
    audio(pcm) {
      const data = Buffer.from(pcm.buffer, pcm.byteOffset, pcm.byteLength).toString("base64")
      session.sendRealtimeInput({ audio: { data, mimeType: "audio/pcm;rate=16000" } })
    },
    tell: (text) => session.sendClientContent({ turns: [{ role: "user", parts: [{ text }] }], turnComplete: true }),
    respond({ id, name }, response: { [key: string]: Json }) {
      session.sendToolResponse({ functionResponses: [{ id, name, response }] })
    },
    close() {
      closing()
      session.close()
    },
  }
}

interface LiveLine<Session extends { close(): void }> {
  failed(message: string | undefined): void
  closed(reason: string | undefined): void
  /** Contract: rejects with the reason if the connection fails, ends or is not open in time; `told.closed` is not called then. */
  open(connecting: Promise<Session>, patience: number): Promise<Session>
  /** What ends it from now on is our doing. */
  closing(): void
}

/**
 * The state of a connection to a live model: the client library waits forever for one that fails, or ends, before it is
 * open. `clean`: removes from the service's words what nobody may see.
 */
export function liveLine<Session extends { close(): void }>(
  told: Pick<LiveEvents, "closed">,
  clean: (words: string) => string,
): LiveLine<Session> {
  let state: "opening" | "open" | "closing" | "over" = "opening"
  let problem = ""
  let fail: (error: Error) => void = () => undefined
  const failure = new Promise<never>((_, reject) => (fail = reject))
  failure.catch(() => undefined)
  const words = (said = "") => clean(said.trim() || problem).trim()

  function giveUp(because: string): void {
    state = "over"
    fail(new Error(because))
  }

  return {
    failed(message = "") {
      problem = message
    },
    closed(reason) {
      const said = words(reason)
      if (state === "opening") giveUp(said || "it closed the connection.")
      else if (state === "closing") told.closed(undefined)
      else if (state === "open") told.closed(`The voice model closed the connection${said === "" ? "." : `: ${said}`}`)
      state = "over"
    },
    async open(connecting, patience) {
      const late = setTimeout(() => giveUp(`it did not answer within ${Math.ceil(patience / 1000)} s.`), patience)
      connecting.then(
        (session) => state === "over" && session.close(),
        (error: unknown) => giveUp(words(error instanceof Error ? error.message : String(error))),
      )
      const session = await Promise.race([connecting, failure]).finally(() => clearTimeout(late))
      state = "open"
      return session
    },
    closing() {
      if (state === "open") state = "closing"
    },
  }
}
