// Carries out spoken requests, through the same port as the buttons.
import { planForward } from "../history/plan/forward.ts"
import type { Failure } from "../model/failure/failure.ts"
import { wordsFor } from "../model/failure/failure-words.ts"
import { RetconError } from "../model/failure/retcon-error.ts"
import type { MoveResult } from "../model/move/moved.ts"
import { unreachable } from "../model/unreachable.ts"
import type { HostSession, SendAnswer } from "../protocol/host.ts"
import { workIn } from "../protocol/open-to-work.ts"
import type { VoiceAction, VoiceAnswer } from "./action.ts"

/** Contract: a refusal is an answer too. `ended`: called with how a turn started here ended, which is after the answer. */
export async function act(
  session: HostSession,
  action: VoiceAction,
  ended: (answer: VoiceAnswer) => void,
): Promise<VoiceAnswer> {
  try {
    return await carryOut(session, action, ended)
  } catch (error) {
    return failed(error)
  }
}

async function carryOut(
  session: HostSession,
  action: VoiceAction,
  ended: (answer: VoiceAnswer) => void,
): Promise<VoiceAnswer> {
  switch (action.do) {
    case "converse": {
      if (session.access.can !== "all") return { ok: false, say: session.access.because }
      void workIn(session)
        .send({ text: action.text })
        .then(
          (answer) => ended(turnWords(answer)),
          (error: unknown) => ended(failed(error)),
        )
      return { ok: true, say: "Sent to the agent." }
    }
    case "go_back":
      return movedWords(await session.back({ rounds: action.rounds, via: "voice" }), "Went back")
    case "redo":
      return movedWords(
        await session[planForward(session.history, session.head)?.by ?? "redo"]({ via: "voice" }),
        "Went forward again",
      )
    case "stop": {
      const { stopped } = await session.stop()
      return stopped ? { ok: true, say: "Stopped." } : { ok: false, say: "Nothing is running." }
    }
    case "approve": {
      const asked = session.live()?.approvals[0]
      const answered =
        asked !== undefined &&
        (await session.work?.answer(asked.approval, action.yes ? { answer: "once" } : { answer: "no" }))
      if (!answered) return { ok: false, say: "Nothing is waiting for permission." }
      return { ok: true, say: action.yes ? `Allowed once: ${asked.title}.` : `Not allowed: ${asked.title}.` }
    }
    default:
      return unreachable(action)
  }
}

function movedWords(result: MoveResult, did: string): VoiceAnswer {
  if (result.outcome === "refused") return { ...refused(result.failure), moved: result }
  if (result.outcome === "unchanged") return { ok: true, say: "Already there.", moved: result }
  const prompt = result.prompt === null ? "" : ` The prompt was: ${result.prompt.text}`
  return { ok: true, say: `${did}.${prompt}`, moved: result }
}

function turnWords(answer: SendAnswer): VoiceAnswer {
  switch (answer.outcome) {
    case "done":
      return { ok: true, say: "The agent has finished." }
    case "steered":
      return { ok: true, say: "The agent has read it." }
    case "stopped":
      return { ok: true, say: "The agent was stopped." }
    case "withdrawn":
      return { ok: true, say: "The message was taken back before the agent read it." }
    case "failed":
      return { ok: false, say: answer.message }
    default:
      return unreachable(answer)
  }
}

function failed(error: unknown): VoiceAnswer {
  if (error instanceof RetconError) return refused(error.failure)
  return { ok: false, say: `Something went wrong: ${error instanceof Error ? error.message : String(error)}` }
}

/** Advice that names commands is for the eye: what is said aloud leaves it to the page. */
function refused(failure: Failure): VoiceAnswer {
  const { message, advice } = wordsFor(failure)
  const spoken = typeof advice === "string" ? advice : ""
  return { ok: false, say: [message, spoken].filter((text) => text !== "").join(" ") }
}
