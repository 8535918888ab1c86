// /allow: shows what needs no approval and what is forbidden, adds a rule, or revokes one.
import { RetconError } from "../../model/failure/retcon-error.ts"
import { visible } from "../../model/text/visible.ts"
import type { HostSession } from "../../protocol/host.ts"
import { workIn } from "../../protocol/open-to-work.ts"
import type { PermissionRule, Permissions } from "../../protocol/shapes.ts"

const USAGE = "Add with /allow RULE, revoke with /allow revoke N"

/** Runs `/allow`, `/allow RULE` and `/allow revoke N|RULE`. Returns lines to show. */
export async function obeyAllow(session: HostSession, argument: string): Promise<string[]> {
  const [, wanted] = /^revoke(?:\s+([\s\S]+))?$/.exec(argument) ?? []
  if (argument === "") return permissionLines(await session.permissions())
  if (!/^revoke(?:\s|$)/.test(argument)) {
    await workIn(session).allow(argument)
    const about = (await session.permissions()).problems.filter((text) => text.startsWith(`The rule ${argument} `))
    return [`Allowed in this session: ${visible(argument)}`, ...about.map(visible), "Revoke it with /allow revoke"]
  }
  const own = (await session.permissions()).allow.filter(({ from }) => from === "session")
  const rule = own.find((each, i) => each.rule === wanted || String(i + 1) === wanted)?.rule ?? wanted
  if (rule === undefined || !(await workIn(session).revoke(rule))) throw noSuchRule(wanted, own)
  return [`No longer allowed in this session: ${visible(rule)}`]
}

function noSuchRule(wanted: string | undefined, own: readonly PermissionRule[]): RetconError {
  const none = own.length === 0
  const given = wanted === undefined ? "Which rule?" : `This session has no rule "${wanted}".`
  const problem = none ? "This session has no rules of its own." : given
  const rules = own.map(({ rule }, i) => `${i + 1} ${rule}`).join(", ")
  const advice = none ? "Add one with: /allow RULE" : `Revoke one of: ${rules}`
  return new RetconError({ code: "invalid", problem, advice })
}

const FROM: Readonly<Record<PermissionRule["from"], string>> = {
  session: "this session",
  "command-line": "--allow",
  configuration: "configuration",
}

/** Contract: each rule as written, and in words; the session's own are numbered. */
export function permissionLines({ mode, allow, deny, ask = [], problems }: Permissions): string[] {
  const line = ({ rule, words, from }: PermissionRule, i: number) => {
    const number = from === "session" ? `${i + 1}`.padStart(3) : "   "
    return `${number} ${visible(rule)}: ${visible(words)} (${FROM[from]})`
  }
  return [
    `Mode ${mode}. ${allow.length === 0 ? "No rule allows more." : "Allowed without asking:"}`,
    ...allow.map(line),
    deny.length === 0 ? "No rule forbids anything." : "Forbidden, in every mode:",
    ...deny.map(line),
    ...(ask.length === 0 ? [] : ["Asked about each time, in every mode:", ...ask.map(line)]),
    ...problems.map((text) => `! ${visible(text)}`),
    USAGE,
  ]
}
