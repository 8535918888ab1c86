// Which secrets a session contains, in all of its branches and in everything that was read, shown or not.
import { setImmediate } from "node:timers/promises"
import { directoryOf } from "../../history/tree/directory.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import { KIND } from "../../model/record/record.ts"
import { surveyed } from "../../redact/long-text.ts"
import { surveyRecord } from "../../redact/records.ts"
import { makeSecretSurvey, type SecretSurvey } from "../../redact/secret-survey.ts"
import { lineTexts } from "../../store/line-texts.ts"
import type { SessionLog } from "../../store/port.ts"
import type { AppDeps } from "../port/app-deps.ts"
import { knownHere } from "./known-here.ts"

/** A session to examine: one of our files, or another agent's. */
export interface SecretsSource {
  file: string
  id: string | null
  open: () => Promise<SessionLog>
}

export interface SessionSecrets {
  file: string
  id: string | null
  /** Values, each with its description. */
  found: ReadonlyMap<string, string>
  /** Why it could not be examined. */
  problem?: string
}

/** Contract: a session that cannot be opened has a result too. */
export async function secretsIn(deps: AppDeps, { file, id, open }: SecretsSource): Promise<SessionSecrets> {
  try {
    const log = await open()
    try {
      return { file, id, found: await surveyLog(deps, log) }
    } finally {
      await log.close()
    }
  } catch (error) {
    if (error instanceof RetconError) return { file, id, found: new Map(), problem: error.message }
    throw error
  }
}

/** Records to examine before other work, such as Ctrl-C, gets its turn. */
const PAUSE = 500

async function surveyLog(deps: AppDeps, log: SessionLog): Promise<SecretSurvey["found"]> {
  const survey = makeSecretSurvey(knownHere(deps, directoryOf(log)).known)
  for (let row = 0; row < log.history.size; row++) {
    const record = log.history.record(row)
    if (record !== undefined && record.type !== "unknown" && record.type !== "unknown-entry")
      surveyRecord(survey, record)
    else if (log.history.kind(row) !== KIND.blank) for (const _ of surveyed(survey, lineTexts(log, row)));
    if (row % PAUSE === PAUSE - 1) await setImmediate()
  }
  return survey.found
}

/** `found`: values, each with its description. */
export function countKinds(found: ReadonlyMap<string, string>): { kind: string; count: number }[] {
  const counts = new Map<string, number>()
  for (const kind of found.values()) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  return [...counts].map(([kind, number]) => ({ kind, count: number }))
}
