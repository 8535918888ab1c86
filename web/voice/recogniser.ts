// The browser's own speech recognition, if it has one. Chrome and Edge send the audio to their makers' servers, which the page
// says before the first word.

interface Recognition {
  lang: string
  continuous: boolean
  interimResults: boolean
  start(): void
  stop(): void
  addEventListener<Type extends keyof RecognitionEvents>(
    type: Type,
    listener: (event: RecognitionEvents[Type]) => void,
  ): void
}

interface RecognitionEvents {
  result: { resultIndex: number; results: ArrayLike<ArrayLike<{ transcript: string }> & { isFinal: boolean }> }
  error: { error: string }
  end: object
}

type RecognitionMaker = new () => Recognition

export interface Recogniser {
  close(): void
}

export function hasRecogniser(): boolean {
  return maker() !== undefined
}

/** `heard`: called with whole phrases. `closed`: called once. Contract: call it only if `hasRecogniser()`. */
export function startRecogniser(
  heard: (text: string) => void,
  closed: (because: string | undefined) => void,
): Recogniser {
  const Maker = maker()
  if (Maker === undefined) throw new Error("This browser has no speech recognition.")
  const recognition = new Maker()
  // The person's language, not that of the page.
  recognition.lang = navigator.language
  recognition.continuous = true
  recognition.interimResults = false
  let because: string | undefined
  recognition.addEventListener("result", ({ resultIndex, results }) => {
    for (let i = resultIndex; i < results.length; i++) {
      const text = results[i]?.isFinal === true ? results[i]?.[0]?.transcript.trim() : undefined
      if (text !== undefined && text !== "") heard(text)
    }
  })
  recognition.addEventListener("error", ({ error }) => {
    because = WORDS[error] ?? `The browser's speech recognition stopped: ${error}.`
  })
  recognition.addEventListener("end", () => closed(because))
  recognition.start()
  return { close: () => recognition.stop() }
}

const WORDS: Readonly<Record<string, string>> = {
  "not-allowed":
    "The browser does not allow this page to use the microphone. Allow it in the address bar, then try again.",
  "audio-capture": "There is no microphone.",
  "no-speech": "Nothing was heard. Press the microphone to try again.",
  network: "The browser's speech recognition needs a network connection.",
}

function maker(): RecognitionMaker | undefined {
  const names = globalThis as { SpeechRecognition?: RecognitionMaker; webkitSpeechRecognition?: RecognitionMaker }
  return names.SpeechRecognition ?? names.webkitSpeechRecognition
}
