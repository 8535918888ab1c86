// Handles a person's words as the browser's own recogniser heard them.
import type { HostSession } from "../protocol/host.ts"
import { act } from "./act.ts"
import type { VoiceAction, VoiceAnswer } from "./action.ts"
import { spokenCommand } from "./spoken-command.ts"
import type { VoiceLine, VoiceLog } from "./voice-log.ts"

export interface SpokenAnswer {
  action: VoiceAction["do"]
  answer: VoiceAnswer
  /** The lines added to the voice log. */
  lines: VoiceLine[]
}

/** Contract: writes to the voice log before it acts. */
export async function spoken(session: HostSession, log: VoiceLog, said: string): Promise<SpokenAnswer> {
  const heard = await log.append("person", said)
  const asked = (session.live()?.approvals.length ?? 0) > 0
  const action = spokenCommand(said, asked)
  const answer = await act(session, action, () => undefined)
  const done = await log.append("retcon", answer.say)
  return { action: action.do, answer, lines: [heard, done] }
}
