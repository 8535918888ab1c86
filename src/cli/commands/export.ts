// retcon export: a session as one JSON document, or its path as Markdown.
import { closeSync, openSync, writeSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { EXPORT_VERSION } from "../../formats/plain/exported.ts"
import { directoryOf } from "../../history/tree/directory.ts"
import { entries } from "../../history/tree/path.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import { isObject, parseJson } from "../../model/json.ts"
import { KIND } from "../../model/record/kind.ts"
import { printPart } from "../../model/record/part.ts"
import type { Session } from "../../session/session.ts"
import { attempt, errno, fail } from "../../store/file/disk/problems.ts"
import type { Cli, Output } from "../port/cli.ts"
import { jsonText, printJsonList } from "../port/print-json.ts"
import { titleOf } from "../render/heading.ts"
import { markdown } from "../render/markdown.ts"
import { type SessionChoice, withChosen } from "../sessions/select.ts"

export interface ExportFlags extends SessionChoice {
  to: "json" | "markdown"
  output?: string
}

export async function run(cli: Cli, options: ExportFlags): Promise<void> {
  await withChosen(cli, options, async (session) => {
    if (options.output === undefined || options.output === "-") {
      await write(cli.out, session, options.to)
      return
    }
    const file = resolve(cli.cwd, options.output)
    await toFile(file, cli.out, (out) => write(out, session, options.to))
    cli.err.write(`Wrote ${file}\n`)
  })
}

async function write(out: Output, session: Session, to: ExportFlags["to"]): Promise<void> {
  if (to === "json") await writeJson(out, session)
  else for (const line of markdown(session.history, session.headRow)) out.write(`${line}\n`)
}

/**
 * Contract (docs/cli.md): every record of every branch in log order, with large parts filled in. What cannot be read
 * is in `damaged` with its line number, unchanged.
 */
async function writeJson(out: Output, session: Session): Promise<void> {
  const { history, log } = session
  const { id, at, made, from } = log.header
  const about = { id, at, cwd: directoryOf(log), made, from, title: titleOf(history) }
  const tips = history.tips().map((row) => history.id(row))
  const labels = [...session.labels()].map(([entry, name]) => ({ entry, name }))
  const head = `"head":${jsonText(session.head)},"tips":${jsonText(tips)},"labels":${jsonText(labels)}`
  out.write(`{"format":"retcon-export","version":${EXPORT_VERSION},"session":${jsonText(about)},${head},\n`)
  await printJsonList(out, entryRecords(session), `"entries":`, ",")
  await printJsonList(out, operations(session), `"operations":`, ",")
  await printJsonList(out, damage(session), `"damaged":`, "}")
}

function* entryRecords({ history, log }: Session): Generator<object> {
  for (const row of entries(history)) {
    const record = history.record(row)
    if (record === undefined) continue
    if (record.type === "message") yield { ...record, content: record.content.map(printPart) }
    else if (record.type === "unknown-entry") yield asItStands(log.line(row))
    else yield record
  }
}

/** What a newer version wrote, with the fields that only it knows. */
function asItStands(line: Uint8Array): object {
  const parsed = parseJson(Buffer.from(line).toString("utf8"))
  return parsed.ok && isObject(parsed.value) ? parsed.value : {}
}

function* operations({ history }: Session): Generator<object> {
  for (let row = 0; row < history.size; row++) {
    const record = history.kind(row) === KIND.operation ? history.record(row) : undefined
    if (record !== undefined) yield record
  }
}

function* damage({ history, log }: Session): Generator<object> {
  for (let row = 0; row < history.size; row++) {
    const problem = history.kind(row) === KIND.blank ? undefined : log.problem(row)
    if (problem === undefined) continue
    yield { line: row + 1, problem, raw: Buffer.from(log.line(row)).toString("utf8") }
  }
}

/** Contract: only its owner can read the file; one that is there is not written over. */
async function toFile(file: string, like: Output, work: (out: Output) => Promise<void>): Promise<void> {
  const fd = create(file)
  try {
    await work({ ...like, write: (text) => attempt(file, () => writeAll(fd, Buffer.from(text))) })
  } finally {
    closeSync(fd)
  }
}

function create(file: string): number {
  try {
    return openSync(file, "wx", 0o600)
  } catch (error) {
    if (errno(error) === "EEXIST") throw new RetconError({ code: "exists", path: file }, { cause: error })
    if (errno(error) === "ENOENT") throw new RetconError({ code: "not-found", what: "folder", name: dirname(file) })
    return fail(error, file)
  }
}

function writeAll(fd: number, bytes: Buffer): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done)
}
