// What the person has allowed another agent's program in one of its own sessions, as rules of that agent.
import type { Permissions } from "../../protocol/shapes.ts"
import type { Session } from "../../session/session.ts"
import type { Approvals } from "./approvals.ts"

export interface ForeignRules extends Pick<Approvals, "permissions" | "allow" | "revoke"> {
  allowed(): readonly string[]
}

/** Stored as a setting in our log of the session, so that moves do not affect it. */
export function foreignRules(session: Session): ForeignRules {
  const allowed = (): string[] => {
    const rules = session.config().get("allow")
    return Array.isArray(rules) ? rules.filter((rule) => typeof rule === "string") : []
  }
  return {
    allowed,
    permissions: (): Permissions => ({
      mode: "default",
      allow: allowed().map((rule) => ({ rule, words: rule, from: "session" })),
      deny: [],
      problems: [],
    }),
    allow: (rule) => session.configure("allow", [...new Set([...allowed(), rule.trim()])]),
    async revoke(rule) {
      const before = allowed()
      if (!before.includes(rule)) return false
      await session.configure(
        "allow",
        before.filter((each) => each !== rule),
      )
      return true
    },
  }
}
