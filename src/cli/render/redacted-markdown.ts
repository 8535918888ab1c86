// The path as Markdown, without secrets, for others to read. The command line and the terminal both write this.
import { type History, path, type Row } from "../../history/tree/tree.ts"
import { sanitise } from "../../model/text/sanitise.ts"
import type { KnownSecrets } from "../../redact/known.ts"
import { surveyRecord } from "../../redact/records.ts"
import { makeRedactor, type Redactor } from "../../redact/redactor.ts"
import { makeSecretSurvey } from "../../redact/secret-survey.ts"
import { titleOf } from "./heading.ts"
import { markdown } from "./markdown-export.ts"

export interface RedactedMarkdown {
  lines: Generator<string>
  /** Knows what was replaced, once all lines have been read. */
  redactor: Redactor
}

export function redactedMarkdown(history: History, head: Row, known: KnownSecrets): RedactedMarkdown {
  const survey = makeSecretSurvey(known)
  titleOf(history, (text) => {
    survey.see([sanitise(text)])
    return text
  })
  for (const row of path(history, head)) {
    const record = history.record(row)
    if (record !== undefined) surveyRecord(survey, record)
  }
  const redactor = makeRedactor(survey, known)
  return { redactor, lines: markdown(history, head, (texts) => redactor.show(texts)) }
}
