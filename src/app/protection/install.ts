// Installs hooks in another agent's settings, and removes them: planned first, so that a person can see the difference.
import type { AgentHooks, Edited } from "../../hooks/port.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import { printHunks } from "../../model/text/hunks.ts"
import type { AppDeps } from "../port/app-deps.ts"
import { bytesBefore, forgetBefore, type Installed, rememberBefore } from "./before-install.ts"
import { hookProgram } from "./hook-program.ts"
import { readSettingsFile, removeSettingsFile, writeSettingsFile } from "./settings-file.ts"

export { HOOKS, hooksOf, withoutHooks } from "../../hooks/all-hooks.ts"
export type { AgentHooks }

export interface SettingsChange {
  file: string
  what: Installed
  /** Undefined: there is no file. */
  before: Buffer | undefined
  /** Undefined: there will be none. */
  after: Buffer | undefined
  /** The content before anything of ours was installed; null: it did not exist. */
  original?: Buffer | null
}

/** Our part of a settings file's text. Contract: pure; everything else stays, byte for byte. */
export interface SettingsEdit {
  what: Installed
  /** `text`: empty if there is no file. */
  add(text: string): Edited
  remove(text: string): Edited
  isIn(text: string): boolean
}

export function planInstall(deps: AppDeps, hooks: AgentHooks, file: string): SettingsChange {
  return planAdd(deps, editOf(deps, hooks), file)
}

export function planUninstall(deps: AppDeps, hooks: AgentHooks, file: string): SettingsChange {
  return planRemove(deps, editOf(deps, hooks), file)
}

function editOf(deps: AppDeps, { settings }: AgentHooks): SettingsEdit {
  return {
    what: "hooks",
    add: (text) => settings.add(text, hookProgram(deps)),
    remove: (text) => settings.remove(text),
    isIn: (text) => settings.read(text).length > 0,
  }
}

/** Contract: changes nothing. Throws `invalid` for a file that cannot be read as its agent reads it. */
export function planAdd(deps: AppDeps, edit: SettingsEdit, file: string): SettingsChange {
  const { before, text } = textIn(file)
  const after = Buffer.from(edited(file, edit.add(text)))
  const { what } = edit
  const known = before === undefined ? null : bytesBefore({ home: deps.home, file, what }, before)
  const found = edit.isIn(text) ? Buffer.from(edited(file, edit.remove(text))) : (before ?? null)
  return { file, what, before, after, original: known === undefined ? found : known }
}

/** The file as before the installation; if it was changed since, the file without our part. */
export function planRemove(deps: AppDeps, edit: SettingsEdit, file: string): SettingsChange {
  const { before, text } = textIn(file)
  const { what } = edit
  if (before === undefined || !edit.isIn(text)) return { file, what, before, after: before }
  const known = bytesBefore({ home: deps.home, file, what }, before)
  if (known !== undefined) return { file, what, before, after: known ?? undefined }
  const rest = edited(file, edit.remove(text))
  return { file, what, before, after: rest === "" ? undefined : Buffer.from(rest) }
}

export function isNoChange({ before, after }: Pick<SettingsChange, "before" | "after">): boolean {
  return before === undefined || after === undefined ? before === after : before.equals(after)
}

/** Contract: all or nothing. Throws `invalid` if the file has changed since this was planned. */
export function carryOut(deps: AppDeps, change: SettingsChange, action: "install" | "uninstall"): void {
  const { file, what, before, after, original } = change
  const at = { home: deps.home, file, what }
  if (!isNoChange({ before, after: readSettingsFile(file) })) {
    const problem = `${file} changed in the meantime, so retcon left it as it is.`
    throw new RetconError({ code: "invalid", problem, advice: "Try again." })
  }
  if (original !== undefined && after !== undefined) rememberBefore(at, original, after)
  if (after === undefined) removeSettingsFile(file)
  else writeSettingsFile(file, after)
  if (action === "uninstall") forgetBefore(at, before, after)
}

/** As a unified diff. */
export function differenceOf({ file, before, after }: SettingsChange): string {
  const name = (bytes: Buffer | undefined) => (bytes === undefined ? "/dev/null" : file)
  return `--- ${name(before)}\n+++ ${name(after)}\n${printHunks(lines(before), lines(after))}`
}

function lines(bytes: Buffer | undefined): string[] {
  return bytes?.toString("utf8").match(/[^\n]*\n|[^\n]+/g) ?? []
}

function textIn(file: string): { before: Buffer | undefined; text: string } {
  const before = readSettingsFile(file)
  const text = before?.toString("utf8") ?? ""
  if (before !== undefined && !Buffer.from(text).equals(before))
    throw untouched(file, "it is not text in UTF-8", "Fix it, then try again.")
  return { before, text }
}

function edited(file: string, result: Edited): string {
  if (result.ok) return result.text
  const at = result.line === undefined ? "" : `, line ${result.line}`
  throw untouched(`${file}${at}`, result.problem, "Fix it in an editor, then try again.")
}

function untouched(where: string, problem: string, advice: string): RetconError {
  return new RetconError({ code: "invalid", problem: `${where}: ${problem}. Nothing was changed.`, advice })
}
