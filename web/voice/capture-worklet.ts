// An audio worklet: makes 16-bit samples at the context's rate and posts them in small blocks.

/** Samples per block: 40 ms at 16 kHz. */
const BLOCK = 640

declare const AudioWorkletProcessor: new () => { readonly port: MessagePort }
declare function registerProcessor(name: string, processor: unknown): void

class Capture extends AudioWorkletProcessor {
  #block = new Int16Array(BLOCK)
  #filled = 0

  process(inputs: Float32Array[][]): boolean {
    for (const sample of inputs[0]?.[0] ?? []) {
      this.#block[this.#filled++] = Math.max(-1, Math.min(1, sample)) * 0x7fff
      if (this.#filled < BLOCK) continue
      this.port.postMessage(this.#block.buffer, [this.#block.buffer])
      this.#block = new Int16Array(BLOCK)
      this.#filled = 0
    }
    return true
  }
}

registerProcessor("capture", Capture)
