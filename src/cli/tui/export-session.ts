// /export: the conversation as Markdown, in a file that was not there before.
import { writeFileSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { RetconError } from "../../model/failure/retcon-error.ts"
import { shortId } from "../../model/id.ts"
import type { HostSession } from "../../protocol/host.ts"
import type { Cli } from "../port/cli.ts"
import { markdown } from "../render/markdown.ts"

export async function exportSession({ cwd }: Pick<Cli, "cwd">, session: HostSession, name: string): Promise<string> {
  const file = resolve(cwd, name === "" ? `retcon-${shortId(session.id)}.md` : name)
  const text = `${[...markdown(session.history, session.head)].join("\n")}\n`
  try {
    writeFileSync(file, text, { flag: "wx", mode: 0o600 })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === "EEXIST") throw new RetconError({ code: "exists", path: file })
    if (code === "ENOENT") throw new RetconError({ code: "not-found", what: "folder", name: dirname(file) })
    throw new RetconError({ code: "io", path: file, problem: message }, { cause: error })
  }
  return file
}
