// What the person has allowed another agent's program in one of its own sessions, as rules of that agent.
import type { Permissions } from "../../protocol/shapes.ts"
import type { Approvals } from "./approvals.ts"
import type { SessionConsent } from "./session-consent.ts"

export interface ForeignRules extends Pick<Approvals, "permissions" | "allow" | "revoke"> {
  allowed(): readonly string[]
}

export function foreignRules({ rules, changeRules }: Pick<SessionConsent, "rules" | "changeRules">): ForeignRules {
  return {
    allowed: rules,
    permissions: (): Permissions => ({
      mode: "default",
      allow: rules().map((rule) => ({ rule, words: rule, from: "session" })),
      deny: [],
      problems: [],
    }),
    allow: (rule) => changeRules((own) => [...own, rule.trim()]),
    async revoke(rule) {
      if (!rules().includes(rule)) return false
      await changeRules((own) => own.filter((each) => each !== rule))
      return true
    },
  }
}
