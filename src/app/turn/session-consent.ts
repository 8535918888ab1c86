// What the person has allowed in one session, on this machine. What the log says about it grants nothing, whoever wrote that:
// older versions recorded consent there, and a log can come from anywhere.
import { RetconError } from "../../model/failure/retcon-error.ts"
import { isObject, type Json } from "../../model/json.ts"
import { narrowerMode, PERMISSION_MODES, type PermissionMode } from "../../model/permission-mode.ts"
import type { Session } from "../../session/session.ts"
import type { LocalState } from "../../store/local.ts"

export interface SessionConsent {
  /** `configured`: the mode of a session in which none was set. Reads what other processes have written. */
  mode(configured: PermissionMode): PermissionMode
  setMode(mode: PermissionMode): Promise<void>
  /** The rules of this session. Reads what other processes have written. */
  rules(): readonly string[]
  /** Contract: `change` gets the rules as they are at that moment; no other process changes them meanwhile. */
  changeRules(change: (rules: readonly string[]) => readonly string[]): Promise<void>
  /** What a log or another machine seems to allow and nobody allowed here, in a sentence; said once. */
  readonly told: string | undefined
}

interface Consent {
  mode?: PermissionMode
  rules: readonly string[]
}

const NONE: Consent = { rules: [] }

export function sessionConsent({ config, log }: Pick<Session, "config" | "log">, local: LocalState): SessionConsent {
  const now = () => consentIn(local.read("consent"), local.identity())

  function write({ mode, rules }: Consent): void {
    const identity = local.identity()
    if (identity === undefined)
      throw new RetconError({ code: "io", path: log.file ?? log.id, problem: "it cannot be looked at now" })
    local.write("consent", { log: identity, ...(mode !== undefined && { mode }), rules: [...rules] })
  }

  /** What an older version recorded in the log. */
  const logged = () => ({ mode: parseMode(config().get("mode")), rules: texts(config().get("allow")) })

  return {
    mode: (configured) => now()?.mode ?? narrowerMode(configured, logged().mode),
    setMode: (mode) => log.alone(async () => write({ ...(now() ?? NONE), mode })),
    rules: () => now()?.rules ?? [],
    changeRules: (change) =>
      log.alone(async () => {
        const before = now() ?? NONE
        write({ ...before, rules: [...new Set(change(before.rules))] })
      }),
    told: tell(),
  }

  function tell(): string | undefined {
    if (now() !== undefined || local.identity() === undefined) return undefined
    const elsewhere = parts(local.read("consent"))
    const given = elsewhere ?? logged()
    const what =
      given.mode !== undefined && given.mode !== "default" && given.mode !== "plan" ? [`mode ${given.mode}`] : []
    if (given.rules.length > 0) what.push(given.rules.length === 1 ? "one rule" : `${given.rules.length} rules`)
    if (what.length === 0) return undefined
    try {
      write(NONE)
    } catch (error) {
      // If it cannot be written, it is said again next time.
      if (!(error instanceof RetconError)) throw error
    }
    const where = elsewhere === undefined ? "the log of this session says so" : "it was allowed in another copy of it"
    return `Not in force here: ${what.join(" and ")}. Only ${where}, and consent never comes from a file that may have been copied. retcon asks again.`
  }
}

/** Undefined unless it was given for this log on this machine. */
function consentIn(value: Json | undefined, identity: string | undefined): Consent | undefined {
  return isObject(value) && identity !== undefined && value.log === identity ? parts(value) : undefined
}

function parts(value: Json | undefined): Consent | undefined {
  if (!isObject(value)) return undefined
  const { mode, rules } = value
  const known = parseMode(mode)
  return { ...(known !== undefined && { mode: known }), rules: texts(rules) }
}

function texts(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : []
}

function parseMode(value: unknown): PermissionMode | undefined {
  return PERMISSION_MODES.find((mode) => mode === value)
}
