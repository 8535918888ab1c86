// Questions to the person: asked as events, answered by whichever front end is first.
import type { Answer, Consent, PermissionRequest } from "../agent/permission/consent.ts"
import { makePolicy } from "../agent/permission/policy.ts"
import type { HostEvent } from "../protocol/event.ts"
import type { Approval, Mode } from "../protocol/host.ts"
import type { Session } from "../session/session.ts"

export interface Approvals extends Consent {
  answer(approval: string, answer: Approval): void
  readonly waiting: boolean
}

export interface ApprovalParts {
  session: Session
  mode(): Mode
  rules(): { allow: readonly string[]; deny: readonly string[] }
  emit: (event: HostEvent) => void
}

export function makeApprovals(parts: ApprovalParts): Approvals {
  const open = new Map<string, (answer: Answer) => void>()
  let asked = 0

  return {
    policy() {
      const { allow, deny } = parts.rules()
      return makePolicy({ mode: parts.mode(), allow: [...allow, ...sessionRules(parts.session)], deny }).policy
    },
    ask(request, signal) {
      const approval = `approval-${++asked}`
      return new Promise<Answer>((settle) => {
        const withdraw = () => end("withdrawn", { answer: "no", reason: "The turn was stopped." })
        const end = (how: "once" | "session" | "no" | "withdrawn", answer: Answer) => {
          signal.removeEventListener("abort", withdraw)
          if (!open.delete(approval)) return
          parts.emit({ type: "approval-end", approval, answer: how })
          settle(answer)
        }
        open.set(approval, (answer) => end(answer.answer, answer))
        signal.addEventListener("abort", withdraw, { once: true })
        parts.emit(question(approval, request))
        if (signal.aborted) withdraw()
      })
    },
    async granted(rules) {
      const all = new Set([...sessionRules(parts.session), ...rules])
      await parts.session.configure("allow", [...all])
    },
    answer: (approval, answer) => open.get(approval)?.(answer),
    get waiting() {
      return open.size > 0
    },
  }
}

function question(approval: string, request: PermissionRequest): HostEvent {
  const { call, tool: name, title, action } = request
  return { type: "approval-start", approval, call, name, title, action }
}

/** Consent is config: no move brings a wider one back, and a split starts with none. */
function sessionRules(session: Session): string[] {
  const rules = session.config().get("allow")
  return Array.isArray(rules) ? rules.filter((rule): rule is string => typeof rule === "string") : []
}
