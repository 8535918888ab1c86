// The voice log of a session: who said what. It only grows; going back in the conversation never changes it.

export interface VoiceLine {
  /** From 1, without gaps. */
  line: number
  /** ISO time. */
  at: string
  /** `person`: as heard. `voice`: the voice model. `retcon`: what was done in response. */
  by: "person" | "voice" | "retcon"
  text: string
}

export interface VoiceLog {
  /** Contract: on disk once it resolves. Lines are in the order of the calls. */
  append(by: VoiceLine["by"], text: string): Promise<VoiceLine>
  read(): Promise<VoiceLine[]>
}

/** Contract: returns the same log object for the same session. */
export type VoiceLogs = (session: string) => VoiceLog
