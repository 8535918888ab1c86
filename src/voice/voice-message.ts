// What the server sends the page during a voice conversation, as JSON beside the audio.
import type { VoiceAction, VoiceAnswer } from "./action.ts"
import type { VoiceLine } from "./voice-log.ts"

export type VoiceMessage =
  | { type: "ready" }
  | { type: "line"; line: VoiceLine }
  | { type: "interrupted" }
  | { type: "did"; action: VoiceAction["do"]; answer: VoiceAnswer }
  /** The last message. No reason means that the person ended it. */
  | { type: "closed"; because?: string }
