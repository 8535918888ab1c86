// The path as Markdown, without secrets, for others to read. The command line and the terminal both write this.
import { type KnownSecrets, type Redactor, redactorFor } from "../../app/secrets/export-secrets.ts"
import type { History, Row } from "../../history/tree/tree.ts"
import { titleOf } from "../../history/words/title.ts"
import { markdown } from "./markdown-export.ts"

export interface RedactedMarkdown {
  lines: Generator<string>
  /** Knows what was replaced, once all lines have been read. */
  redactor: Redactor
}

export function redactedMarkdown(history: History, head: Row, known: KnownSecrets): RedactedMarkdown {
  const titles: string[] = []
  titleOf(history, (text) => {
    titles.push(text)
    return text
  })
  const redactor = redactorFor(history, head, known, titles)
  return { redactor, lines: markdown(history, head, (texts) => redactor.show(texts)) }
}
