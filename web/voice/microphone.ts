// The person's microphone as blocks of 16-bit PCM at 16 kHz.
import captureUrl from "./capture-worklet.ts?worker&url"

export interface Microphone {
  close(): void
}

/** Contract: rejects, with the browser's own message, if the person does not allow it or there is no microphone. */
export async function openMicrophone(heard: (pcm: ArrayBuffer) => void): Promise<Microphone> {
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
