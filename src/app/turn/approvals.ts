// Questions to the person, asked as events and answered by whichever front end is first; and what the person has allowed.
import type { Consent, PermissionRequest } from "../../agent/permission/consent.ts"
import { type Decision, makePolicy, WRITERS } from "../../agent/permission/policy.ts"
import { parseRule } from "../../agent/permission/rule.ts"
import { allowProblems, ruleProblems } from "../../agent/permission/rule-problems.ts"
import { allowWords, askWords, denyWords } from "../../agent/permission/rule-words.ts"
import type { Approval } from "../../model/approval.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import type { PermissionMode } from "../../model/permission-mode.ts"
import type { HostEvent } from "../../protocol/event.ts"
import type { Question } from "../../protocol/numbered-event.ts"
import type { PermissionRule, Permissions } from "../../protocol/shapes.ts"
import type { ConfiguredRules } from "../config/configured-rules.ts"
import type { EmitEvent } from "../port/event-feed.ts"
import type { SessionConsent } from "./session-consent.ts"

export interface Approvals {
  /** For a turn: its questions are sent as that turn's events. */
  consent(emit: EmitEvent): Consent
  /** False: that question is no longer open. */
  answer(approval: string, answer: Approval): boolean
  /** The open questions. */
  open(): Question[]
  /** Call when the mode or the rules change: settles the questions that they now answer. */
  recheck(): void
  permissions(): Permissions
  allow(rule: string): Promise<void>
  revoke(rule: string): Promise<boolean>
}

export interface ApprovalDeps {
  consented: Pick<SessionConsent, "rules" | "changeRules">
  /** Contract: unique across all sessions. */
  newId(): string
  mode(): PermissionMode
  rules(): ConfiguredRules
}

type How = Extract<HostEvent, { type: "approval-end" }>["answer"]

interface Open {
  question: Question
  end(how: How, answer: Approval): void
  judge(): Decision
}

/** Contract: throws if the configured rules cannot be read, because no question may be asked without them. */
export function makeApprovals(deps: ApprovalDeps): Approvals {
  deps.rules()
  const open = new Map<string, Open>()

  async function changeRules(change: (own: readonly string[]) => readonly string[]): Promise<void> {
    await deps.consented.changeRules(change)
    recheck()
  }

  function recheck(): void {
    for (const question of open.values()) {
      if (question.judge().decision !== "ask") question.end("settled", { answer: "once" })
    }
  }

  const consent = (emit: EmitEvent): Consent => ({
    policy() {
      const { allow, deny, ask = [], asked: more = [] } = deps.rules()
      return makePolicy({ mode: deps.mode(), allow: [...allow, ...more, ...deps.consented.rules()], deny, ask }).policy
    },
    ask(request, signal, judge) {
      const question = questionOf(deps.newId(), request)
      const { approval } = question
      return new Promise<Approval>((settle) => {
        const withdraw = () => end("withdrawn", { answer: "no", by: "nobody", reason: "The turn was stopped." })
        const end = (how: How, answer: Approval) => {
          signal.removeEventListener("abort", withdraw)
          if (!open.delete(approval)) return
          const rules = answer.answer === "session" ? rulesOf(request, answer) : []
          emit({ type: "approval-end", approval, answer: how, ...(rules.length === 0 ? {} : { rules }) })
          settle(answer)
        }
        open.set(approval, { question, end, judge })
        signal.addEventListener("abort", withdraw, { once: true })
        emit(question)
        if (signal.aborted) withdraw()
      })
    },
    granted: (rules) => changeRules((own) => [...own, ...rules]),
  })

  return {
    consent,
    answer(approval, answer) {
      const asked = open.get(approval)
      asked?.end(answer.answer, answer)
      return asked !== undefined
    },
    open: () => [...open.values()].map(({ question }) => question),
    recheck,
    permissions() {
      const { allow, deny, ask = [], asked: more = [] } = deps.rules()
      const own = deps.consented.rules()
      return {
        mode: deps.mode(),
        allow: [
          ...described(grantsOf(own), "session"),
          ...described(more, "command-line"),
          ...described(allow, "configuration"),
        ],
        deny: described(deny, "configuration", denyWords),
        ...(ask.length > 0 && { ask: described(ask, "configuration", askWords) }),
        problems: [...allowProblems([...own, ...more, ...allow]), ...ruleProblems(deny)],
      }
    },
    async allow(rule) {
      const [problem] = ruleProblems([rule])
      if (problem !== undefined) {
        throw new RetconError({
          code: "invalid",
          problem,
          advice: "Nothing was changed. Examples of rules: Write, Bash(npm test)",
        })
      }
      await changeRules((own) => [...own, rule.trim()])
    },
    async revoke(rule) {
      if (!deps.consented.rules().includes(rule)) return false
      await changeRules((own) => own.filter((each) => granted(each) !== granted(rule)))
      return true
    },
  }
}

function rulesOf({ grants }: PermissionRequest, { grant }: { grant?: string }): string[] {
  return grants.find(({ id }) => id === (grant ?? grants[0]?.id))?.rules ?? []
}

function questionOf(approval: string, request: PermissionRequest): Question {
  const { call, tool: name, title, action, outside, warnings, grants } = request
  return { type: "approval-start", approval, call, name, title, action, outside, warnings, grants }
}

/** One grant allows every tool that writes to change a file. It is listed once, under its first rule, and revoked as a whole. */
function grantsOf(rules: readonly string[]): string[] {
  return rules.filter((rule, i) => rules.findIndex((each) => granted(each) === granted(rule)) === i)
}

/** A key that is the same for rules granted together. */
function granted(text: string): string {
  const rule = parseRule(text)
  if (rule === undefined || !WRITERS.includes(rule.tool)) return text
  return rule.pattern === undefined ? "writers" : `writers(${rule.pattern})`
}

function described(rules: readonly string[], from: PermissionRule["from"], words = allowWords): PermissionRule[] {
  return rules.map((text) => {
    const rule = parseRule(text)
    return { rule: text, words: rule === undefined ? "is not a rule" : words(rule), from }
  })
}
