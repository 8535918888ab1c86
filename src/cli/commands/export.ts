// retcon export: a session as one JSON document, exactly as it is; or its path as Markdown, without secrets, or as a
// session of another agent.
import { closeSync, existsSync, linkSync, openSync, rmSync, writeSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { type KnownSecrets, seenSecrets } from "../../app/secrets/export-secrets.ts"
import { knownHere } from "../../app/secrets/known-here.ts"
import { countKinds } from "../../app/secrets/session-secrets.ts"
import { directoryOf } from "../../history/tree/directory.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import type { Session } from "../../session/session.ts"
import { attempt, errno, fail, orNothing } from "../../store/file/disk/problems.ts"
import { temporaryBeside } from "../../store/file/disk/temporary-beside.ts"
import { printNativeCopy } from "../move/native-copy.ts"
import type { Cli, Output } from "../port/cli.ts"
import { UsageError } from "../port/errors.ts"
import { writeJson } from "../render/json-export.ts"
import { markdown } from "../render/markdown-export.ts"
import { redactedMarkdown } from "../render/redacted-markdown.ts"
import { kindWords } from "../render/secret-words.ts"
import { type SessionChoice, withChosen } from "../sessions/select.ts"

export interface ExportFlags extends SessionChoice {
  /** `json`, `markdown`, or an agent. */
  to: string
  /** For an agent: where the path ends. */
  at?: string
  /** A file; for an agent, a folder in place of the person's home. */
  output?: string
  /** False: Markdown including the secrets. */
  redact?: boolean
  dryRun?: boolean
  json?: boolean
}

export async function run(cli: Cli, options: ExportFlags): Promise<void> {
  await withChosen(cli, options, async (session) => {
    if (options.to !== "json" && options.to !== "markdown") return toAgent(cli, session, options)
    onlyForAgents(options)
    const { known, problems } = knownHere(cli, directoryOf(session.log))
    for (const problem of problems) cli.err.write(`retcon: ${problem}\n`)
    const write = writer(cli, session, known, options)
    if (options.output === undefined || options.output === "-") {
      await write(cli.out)
      return
    }
    const file = resolve(cli.cwd, options.output)
    await toFile(file, cli.out, write)
    cli.err.write(`Wrote ${file}\n`)
  })
}

async function toAgent(cli: Cli, session: Session, { to, at, output, dryRun, json }: ExportFlags): Promise<void> {
  if (to === "retcon")
    throw new UsageError("export cannot create retcon's own sessions.", "Use: retcon split --to retcon")
  await printNativeCopy(cli, session, { to, at, folder: output, dryRun, json })
}

function onlyForAgents({ to, at, dryRun, json }: ExportFlags): void {
  const flags = [at !== undefined && "--at", dryRun === true && "--dry-run", json === true && "--json"]
  const given = flags.find((flag) => flag !== false)
  if (given !== undefined)
    throw new UsageError(`${given} works only for an export to an agent, not to ${to}.`, "Leave it out.")
}

type Write = (out: Output) => Promise<void>

function writer(cli: Cli, session: Session, known: KnownSecrets, { to, redact }: ExportFlags): Write {
  if (to === "json") return (out) => exactJson(cli, out, session, known)
  return redact === false ? (out) => exact(cli, out, session, known) : (out) => redacted(cli, out, session, known)
}

async function redacted(cli: Cli, out: Output, session: Session, known: KnownSecrets): Promise<void> {
  const { lines, redactor } = redactedMarkdown(session.history, session.headRow, known)
  for (const line of lines) out.write(`${line}\n`)
  if (redactor.replaced.size > 0) cli.err.write(`Secrets were replaced: ${kindWords(countKinds(redactor.replaced))}.\n`)
}

/** Contract: says what it contains before any of it is written. */
async function exact(cli: Cli, out: Output, session: Session, known: KnownSecrets): Promise<void> {
  const { lines, redactor } = redactedMarkdown(session.history, session.headRow, known)
  for (const _ of lines);
  const home = redactor.home ? ["the path of your home folder"] : []
  const held = [...(redactor.replaced.size > 0 ? [kindWords(countKinds(redactor.replaced))] : []), ...home]
  if (held.length > 0) cli.err.write(`Nothing was replaced. The export contains: ${held.join(", ")}.\n`)
  for (const line of markdown(session.history, session.headRow)) out.write(`${line}\n`)
}

async function exactJson(cli: Cli, out: Output, session: Session, known: KnownSecrets): Promise<void> {
  const secrets = seenSecrets(known)
  await writeJson(out, session, secrets)
  const kinds = secrets.kinds()
  if (kinds.length === 0) return
  const words = `JSON is not redacted, and this export contains: ${kindWords(kinds)}.`
  cli.err.write(`${words} To share a session, use: retcon export --to markdown\n`)
}

/** Contract: only its owner can read the file, which is complete or not there; an existing file is not overwritten. */
async function toFile(file: string, like: Output, work: (out: Output) => Promise<void>): Promise<void> {
  if (existsSync(file)) throw new RetconError({ code: "exists", path: file })
  const temporary = temporaryBeside(file)
  try {
    const fd = openSync(temporary, "wx", 0o600)
    try {
      await work({ ...like, write: (text) => attempt(file, () => writeAll(fd, Buffer.from(text))) })
    } finally {
      closeSync(fd)
    }
    // Unlike a rename, a link never replaces an existing file.
    linkSync(temporary, file)
  } catch (error) {
    if (errno(error) === "EEXIST") throw new RetconError({ code: "exists", path: file }, { cause: error })
    if (errno(error) === "ENOENT") throw new RetconError({ code: "not-found", what: "folder", name: dirname(file) })
    fail(error, file)
  } finally {
    orNothing(() => rmSync(temporary, { force: true }))
  }
}

function writeAll(fd: number, bytes: Buffer): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done)
}
