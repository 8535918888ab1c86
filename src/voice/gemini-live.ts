// Gemini Live as a LiveModel. The key stays in this process; the page only sends and receives audio.
import type { LiveServerMessage, Session } from "@google/genai"
import type { Json } from "../model/json.ts"
import { inputOf, VOICE_FUNCTIONS } from "./functions.ts"
import { liveLine } from "./live-line.ts"
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
