// Speaking with a live model through the server: audio both ways on one WebSocket, and results as JSON.
import { parseJson } from "../../src/model/json.ts"
import { unreachable } from "../../src/model/unreachable.ts"
import type { VoiceLine } from "../../src/voice/voice-log.ts"
import type { VoiceMessage } from "../../src/voice/voice-message.ts"
import captureUrl from "./capture-worklet.ts?worker&url"

export interface LiveVoiceEvents {
  ready(): void
  line(line: VoiceLine): void
  did(message: Extract<VoiceMessage, { type: "did" }>): void
  /** `because`: undefined if the person closed it. */
  closed(because: string | undefined): void
}

export interface LiveVoice {
  close(): void
}

/** Contract: calls `closed` once, whatever happens. */
export function startLiveVoice(url: string, token: string, events: LiveVoiceEvents): LiveVoice {
  const socket = new WebSocket(url, ["retcon.voice", `token.${token}`])
  socket.binaryType = "arraybuffer"
  const player = openPlayer()
  let microphone: Microphone | undefined
  let ended = false
  function end(because?: string): void {
    if (ended) return
    ended = true
    microphone?.close()
    player.close()
    socket.close()
    events.closed(because)
  }
  function take(message: VoiceMessage): void {
    switch (message.type) {
      case "ready":
        events.ready()
        break
      case "line":
        events.line(message.line)
        break
      case "interrupted":
        player.hush()
        break
      case "did":
        events.did(message)
        break
      case "closed":
        end(message.because ?? "Voice has stopped. Press the microphone to speak again.")
        break
      default:
        unreachable(message)
    }
  }
  socket.addEventListener("message", ({ data }: MessageEvent<ArrayBuffer | string>) => {
    if (typeof data === "string") take(messageOf(data))
    else player.play(data)
  })
  socket.addEventListener("close", () => end("The server stopped voice. Press the microphone to try again."))
  socket.addEventListener("open", () => {
    openMicrophone((pcm) => socket.readyState === WebSocket.OPEN && socket.send(pcm)).then(
      (opened) => {
        microphone = opened
        if (ended) opened.close()
      },
      (error: unknown) =>
        end(`The microphone cannot be used: ${error instanceof Error ? error.message : String(error)}`),
    )
  })
  return { close: () => end() }
}

/** No validation: the server has the same version as the page. */
function messageOf(text: string): VoiceMessage {
  const parsed = parseJson(text)
  return parsed.ok ? (parsed.value as unknown as VoiceMessage) : { type: "closed", because: parsed.problem }
}

interface Microphone {
  close(): void
}

/**
 * The person's microphone as blocks of 16-bit PCM at 16 kHz. Contract: rejects, with the browser's own message, if the
 * person does not allow it or there is no microphone.
 */
async function openMicrophone(heard: (pcm: ArrayBuffer) => void): Promise<Microphone> {
  const stream = await navigator.mediaDevices.getUserMedia({
    audio: { echoCancellation: true, noiseSuppression: true },
  })
  const audio = new AudioContext({ sampleRate: 16_000 })
  const close = () => {
    for (const track of stream.getTracks()) track.stop()
    void audio.close()
  }
  try {
    await audio.audioWorklet.addModule(captureUrl)
    const capture = new AudioWorkletNode(audio, "capture", { numberOfOutputs: 0 })
    capture.port.addEventListener("message", ({ data }: MessageEvent<ArrayBuffer>) => heard(data))
    capture.port.start()
    audio.createMediaStreamSource(stream).connect(capture)
    await audio.resume()
  } catch (error) {
    close()
    throw error
  }
  return { close }
}

const RATE = 24_000

interface Player {
  play(pcm: ArrayBuffer): void
  /** Drops audio that was not played yet, because the person speaks. */
  hush(): void
  close(): void
}

/** Plays blocks of 16-bit PCM at 24 kHz one after the other. */
function openPlayer(): Player {
  const audio = new AudioContext({ sampleRate: RATE })
  const playing = new Set<AudioBufferSourceNode>()
  let next = 0
  return {
    play(pcm) {
      const samples = new Int16Array(pcm, 0, pcm.byteLength >> 1)
      if (samples.length === 0) return
      const buffer = audio.createBuffer(1, samples.length, RATE)
      buffer.copyToChannel(
        Float32Array.from(samples, (sample) => sample / 0x8000),
        0,
      )
      const source = audio.createBufferSource()
      source.buffer = buffer
      source.connect(audio.destination)
      source.addEventListener("ended", () => playing.delete(source))
      playing.add(source)
      next = Math.max(next, audio.currentTime)
      source.start(next)
      next += buffer.duration
    },
    hush() {
      for (const source of playing) source.stop()
      playing.clear()
      next = 0
    },
    close: () => void audio.close(),
  }
}
