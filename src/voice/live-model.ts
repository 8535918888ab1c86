// A port for a model that listens and speaks at once: audio both ways, transcripts of both, and calls of the functions that
// `functions.ts` declares.
import type { Json } from "../model/json.ts"

export interface LiveModel {
  /** Contract: rejects if the model cannot be reached. `closed` comes once, even after `close`. */
  connect(instructions: string, told: LiveEvents): Promise<LiveConnection>
}

export interface LiveEvents {
  /** 16-bit PCM, little-endian, 24 kHz, one channel. */
  audio(pcm: Uint8Array): void
  /** The next piece of the person's words. */
  heard(text: string): void
  /** The next piece of the model's words. */
  said(text: string): void
  /** The person interrupts: audio that has not been played yet must not be. */
  interrupted(): void
  /** The model has finished speaking. */
  turnEnd(): void
  call(call: LiveCall): void
  /** `because`: undefined if we closed it. */
  closed(because: string | undefined): void
}

export interface LiveCall {
  id: string
  name: string
  input: { [key: string]: Json }
}

export interface LiveConnection {
  /** 16-bit PCM, little-endian, 16 kHz, one channel. */
  audio(pcm: Uint8Array): void
  /** Tells the model what happened, so that it can speak about it. */
  tell(text: string): void
  respond(call: LiveCall, response: { [key: string]: Json }): void
  close(): void
}
