// retcon import FILE: plain messages of another program become a session of this directory.
import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs"
import { resolve } from "node:path"
import { readPlain } from "../../formats/plain/read.ts"
import { RetconError } from "../../model/failure.ts"
import { shortId } from "../../model/id.ts"
import { isPrompt } from "../../model/prompt.ts"
import { count } from "../../model/text/amounts.ts"
import { createSession } from "../../session/session.ts"
import type { Cli } from "../cli.ts"
import { printJson } from "../print-json.ts"

/** A text longer than this cannot be held as one string with room to spare. */
const LIMIT = 200 * 1024 * 1024
const HINT = "Give it a JSON list of messages with role and content, or one such message per line."

export async function run(cli: Cli, options: { file: string; title?: string; json?: boolean }): Promise<void> {
  const name = options.file === "-" ? "The input" : options.file
  const bytes = options.file === "-" ? await cli.in.readAll(LIMIT) : readFile(resolve(cli.cwd, options.file), name)
  if (bytes === undefined) throw refused(name, "it is larger than 200 MB")
  const read = readPlain(bytes)
  if (!read.ok) throw refused(name, read.problem)
  const session = await createSession(cli.store, { cwd: cli.cwd, made: cli.made }, cli.parts)
  try {
    await session.append(read.drafts, { durable: true })
    if (options.title !== undefined) await session.configure("title", options.title)
  } catch (error) {
    await session.close()
    await cli.store.remove(session.id)
    throw error
  }
  await session.close()
  const messages = read.drafts.filter((draft) => draft.type === "message")
  const prompts = messages.filter((draft) => isPrompt(draft)).length
  if (options.json === true) {
    printJson(cli.out, { session: session.id, messages: messages.length, prompts })
    return
  }
  const short = shortId(session.id)
  cli.out.write(`Imported ${count(messages.length, "message")} (${count(prompts, "prompt")}) as session ${short}.\n`)
  cli.out.write(`See it with: retcon show -s ${short}\n`)
}

function refused(name: string, problem: string): RetconError {
  return new RetconError({ code: "invalid", problem: `${name} cannot be imported: ${problem}.`, hint: HINT })
}

/** Contract: never blocks, also not on a pipe or a device. Undefined when it is too large. */
function readFile(path: string, name: string): Uint8Array | undefined {
  let fd: number
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") {
      throw new RetconError({ code: "not-found", what: "file", name }, { cause: error })
    }
    throw new RetconError({ code: "io", path: name, problem: (error as Error).message }, { cause: error })
  }
  try {
    const stat = fstatSync(fd)
    if (stat.isDirectory()) throw refused(name, "it is a folder")
    if (!stat.isFile()) throw refused(name, "it is not a regular file; pipe it in and use - as the name")
    return stat.size > LIMIT ? undefined : readFileSync(fd)
  } finally {
    closeSync(fd)
  }
}
