// What an export must know about secrets: which ones are in what it writes, and how to write without them.
import { type History, path, type Row } from "../../history/tree/tree.ts"
import { sanitise } from "../../model/text/sanitise.ts"
import type { KnownSecrets } from "../../redact/known.ts"
import { surveyed } from "../../redact/long-text.ts"
import { surveyRecord } from "../../redact/records.ts"
import { makeRedactor, type Redactor } from "../../redact/redactor.ts"
import { makeSecretSurvey } from "../../redact/secret-survey.ts"
import { countKinds } from "./session-secrets.ts"

export type { KnownSecrets, Redactor }

/** Sees everything that is written as it is. */
export interface SeenSecrets {
  record(record: object): void
  /** The same texts again. */
  texts(pieces: Iterable<string>): Iterable<string>
  kinds(): { kind: string; count: number }[]
}

export function seenSecrets(known: KnownSecrets): SeenSecrets {
  const survey = makeSecretSurvey(known)
  return {
    record: (record) => surveyRecord(survey, record),
    texts: (pieces) => surveyed(survey, pieces),
    kinds: () => countKinds(survey.found),
  }
}

/** For the path to `head`. `titles`: other texts that will be shown. */
export function redactorFor(history: History, head: Row, known: KnownSecrets, titles: readonly string[]): Redactor {
  const survey = makeSecretSurvey(known)
  survey.see(titles.map(sanitise))
  for (const row of path(history, head)) {
    const record = history.record(row)
    if (record !== undefined) surveyRecord(survey, record)
  }
  return makeRedactor(survey, known)
}
