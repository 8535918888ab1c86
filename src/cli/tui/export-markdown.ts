// /export: the conversation as Markdown, without secrets, in a new file.
import { writeFileSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { knownHere, type Machine } from "../../app/secrets/known-here.ts"
import { countKinds } from "../../app/secrets/session-secrets.ts"
import { errno, RetconError } from "../../model/failure/retcon-error.ts"
import { shortId } from "../../model/id.ts"
import type { SessionContents } from "../../protocol/host.ts"
import { redactedMarkdown } from "../render/redacted-markdown.ts"
import { kindWords } from "../render/secret-words.ts"

/** Returns what was done, in sentences. */
export async function exportMarkdown(machine: Machine, session: SessionContents, name: string): Promise<string> {
  const file = resolve(machine.cwd, name === "" ? `retcon-${shortId(session.id)}.md` : name)
  const { known, problems } = knownHere(machine, session.cwd)
  const { lines, redactor } = redactedMarkdown(session.history, session.head, known)
  const text = `${[...lines].join("\n")}\n`
  try {
    writeFileSync(file, text, { flag: "wx", mode: 0o600 })
  } catch (error) {
    if (errno(error) === "EEXIST") throw new RetconError({ code: "exists", path: file })
    if (errno(error) === "ENOENT") throw new RetconError({ code: "not-found", what: "folder", name: dirname(file) })
    throw new RetconError({ code: "io", path: file, problem: (error as Error).message }, { cause: error })
  }
  const replaced =
    redactor.replaced.size > 0 ? [`Secrets were replaced: ${kindWords(countKinds(redactor.replaced))}.`] : []
  return [`Written to ${file}`, ...replaced, ...problems].join("\n")
}
