// Questions of another agent's program, put to the person on the same screen as our own agent's. What retcon is configured to deny
// is refused at once; what it allows answers nothing here, because the program has its own rules for that.
import { ownHome } from "../../agent/permission/own-home.ts"
import { type Decision, decide, type JudgedCall } from "../../agent/permission/policy.ts"
import { realPath, realWorkRoot, type WorkRoot } from "../../agent/port/tool.ts"
import { titleOf, warningsOf } from "../../agent/step/permit.ts"
import type { Approval, ApprovalAction } from "../../model/approval.ts"
import type { Grant, GrantId } from "../../model/grant.ts"
import { serial } from "../../model/serial.ts"
import type { OpenAgent, ProgramAnswer, ProgramOption, ProgramQuestion } from "../../programs/port.ts"
import type { EmitEvent } from "../port/event-feed.ts"
import type { Approvals } from "./approvals.ts"

const IDS: readonly GrantId[] = ["this", "like", "tool"]

/** One question at a time. */
export function foreignQuestions(
  approvals: Pick<Approvals, "consent">,
  root: WorkRoot,
  emit: EmitEvent,
): OpenAgent["ask"] {
  const consent = approvals.consent(emit)
  const one = serial()

  async function ask(question: ProgramQuestion, signal: AbortSignal): Promise<ProgramAnswer> {
    const asked = await judged(question, root)
    const judge = (): Decision => {
      const decision = decide(asked, { ...consent.policy(), mode: "default", allow: [] })
      return decision.decision === "allow" ? { decision: "ask", outside: [] } : decision
    }
    const first = judge()
    if (first.decision === "deny") return forbidden(first.because)
    if (signal.aborted) return WITHDRAWN
    const always = question.options.filter(({ means }) => means === "always").slice(0, IDS.length)
    const answer = await consent.ask(
      {
        call: question.call,
        tool: question.tool,
        title: titleOf(question.title, asked, root),
        action: question.action,
        outside: first.decision === "ask" ? first.outside : [],
        warnings: [...question.warnings, ...warningsOf(asked, root, consent.policy())],
        grants: always.map(grantOf),
      },
      signal,
      judge,
    )
    const meanwhile = judge()
    return meanwhile.decision === "deny" ? forbidden(meanwhile.because) : answerOf(answer, question.options, always)
  }

  return (question, signal) => one.run(() => ask(question, signal))
}

const WITHDRAWN: ProgramAnswer = { refused: "It was withdrawn." }

function grantOf({ words }: ProgramOption, i: number): Grant {
  return { id: IDS[i] ?? "this", rules: [], words, width: "wide", theirs: true }
}

function answerOf(
  answer: Approval,
  options: readonly ProgramOption[],
  always: readonly ProgramOption[],
): ProgramAnswer {
  const meaning = (means: ProgramOption["means"]) => options.find((option) => option.means === means)
  if (answer.answer === "no") {
    const no = meaning("no")
    return answer.reason === undefined && no !== undefined
      ? { option: no.id }
      : { refused: answer.reason ?? "The person refused this call." }
  }
  const chosen = answer.answer === "session" ? always[IDS.indexOf(answer.grant ?? "this")] : undefined
  const option = chosen ?? meaning("once")
  return option === undefined ? { refused: "It offers no way to allow it once." } : { option: option.id }
}

function forbidden(because: string): ProgramAnswer {
  return { refused: `Not allowed: ${because}. Do not try to achieve the same in another way.` }
}

async function judged({ tool, action }: ProgramQuestion, root: WorkRoot): Promise<JudgedCall> {
  const named = action.kind === "write" || action.kind === "read" ? [action.path] : []
  const [at, ...real] = await Promise.all([realWorkRoot(root), ...named.map((path) => realPath(path))])
  const { folder, home, scratch } = at
  const own = ownHome(root, at)
  return { tool, effect: effectOf(action), action, named, real, root: folder, home, readable: [scratch], own }
}

function effectOf({ kind }: ApprovalAction): JudgedCall["effect"] {
  if (kind === "read") return "reads"
  return kind === "write" ? "writes" : "runs"
}
