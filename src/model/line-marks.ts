// How a line of a log shows, without being parsed, who said what is in it. Plain data: it is sent to threads.

/** Who or what said something, in the order of the weight that it has in a search. */
export const WHO = ["you", "agent", "call", "result", "thinking", "other"] as const
export type Who = (typeof WHO)[number]

export interface LineMarks {
  /** Fields whose text nobody said, such as a folder that is repeated on each line. */
  unsaid: readonly string[]
  /** Texts that are near a line's beginning, and who then said what is in the line: the first that is there counts. */
  who: readonly (readonly [mark: string, who: Who | "nobody"])[]
}

/** What most agents write, with and without a space after a colon. */
export function lineMarks(own: readonly (readonly [mark: string, who: Who | "nobody"])[] = []): LineMarks {
  return {
    unsaid: UNSAID,
    who: [...own, ...USUAL].flatMap(([mark, who]) => spaced(mark).map((each) => [each, who] as const)),
  }
}

function spaced(mark: string): string[] {
  const other = mark.replaceAll('":', '": ')
  return other === mark ? [mark] : [mark, other]
}

const USUAL = [
  ['"type":"tool_result"', "result"],
  ['"type":"tool-result"', "result"],
  ['"role":"toolResult"', "result"],
  ['"role":"tool"', "result"],
  ['"type":"tool_use"', "call"],
  ['"type":"tool-call"', "call"],
  ['"type":"tool_call"', "call"],
  ['"type":"toolCall"', "call"],
  ['"role":"user"', "you"],
  ['"role":"system"', "other"],
  ['"type":"text"', "agent"],
  ['"type":"thinking"', "thinking"],
  ['"type":"reasoning"', "thinking"],
  ['"role":"assistant"', "agent"],
] as const

/** On every line, or never text. What a call may pass under the same name is not found: so there are few. */
const UNSAID = (
  "cwd sessionId session_id sessionID projectHash gitBranch slug uuid parentUuid parentId parentID requestId promptId " +
  "leafUuid timestamp type role model modelId modelID provider providerID api userType entrypoint originator version " +
  "tool_use_id call_id callID toolCallId response_id turn_id turnId messageID service_tier stop_reason stopReason " +
  "cli_version approval_policy signature thinkingSignature thoughtSignature encrypted_content"
).split(" ")
