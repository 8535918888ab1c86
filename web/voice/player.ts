// Plays blocks of 16-bit PCM at 24 kHz one after the other.

const RATE = 24_000

export interface Player {
  play(pcm: ArrayBuffer): void
  /** Drops audio that was not played yet, because the person speaks. */
  hush(): void
  close(): void
}

export function openPlayer(): Player {
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
