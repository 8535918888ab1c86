// A new session for another agent, made from a path of any session: composed first, so that a dry run can show it, then saved.
import { closeSync, existsSync, fsyncSync, linkSync, openSync, rmSync, writeFileSync } from "node:fs"
import { dirname, isAbsolute, relative, resolve, sep } from "node:path"
import type { AgentHomes, Format, KnownFormat, WriteRequest, Written } from "../formats/port.ts"
import { agentTitle } from "../model/agent-title.ts"
import { RetconError } from "../model/failure/retcon-error.ts"
import { sanitiseLine } from "../model/text/sanitise.ts"
import { ensureFolder, errno, failure, orNothing, syncFolder } from "../store/file/disk/problems.ts"
import { temporaryBeside } from "../store/file/disk/temporary-beside.ts"

export interface NativeSession extends Written {
  /** Contract: creates all files or none, and never replaces one. */
  save(): void
}

/** Contract: writes nothing. Throws if retcon can only read this agent's format. */
export async function composeNative(
  agent: string,
  formats: readonly KnownFormat[],
  request: WriteRequest,
): Promise<NativeSession> {
  const format = await formats.find((each) => each.agent === agent)?.load()
  if (format?.write === undefined) throw cannotWrite(agent, formats)
  const written = await format.write(request)
  checkPaths(format, request.homes, written)
  return { ...written, save: () => createFiles(written.files) }
}

function cannotWrite(agent: string, formats: readonly KnownFormat[]): RetconError {
  const possible = formats.filter(({ creates }) => creates).map((format) => format.agent)
  const advice = `It can for: ${["retcon", ...possible].join(", ")}.`
  return new RetconError({ code: "invalid", problem: `retcon cannot create sessions of ${agentTitle(agent)}.`, advice })
}

/** Names found in a session become part of paths. Nothing may be written outside the agent's folders, whatever a format does. */
function checkPaths(format: Format, homes: AgentHomes, { files }: Written): void {
  const allowed = format.folders?.(homes) ?? []
  const outside = files.find(({ path }) => path !== resolve(path) || !isBelow(path, allowed))
  if (outside === undefined) return
  throw new RetconError({
    code: "unsafe-path",
    path: sanitiseLine(outside.path),
    problem: `it is not in a folder of ${agentTitle(format.agent)}`,
  })
}

interface NewFile {
  path: string
  bytes: Uint8Array
}

/**
 * Creates files in another agent's folder: complete or not at all, and never over an existing file. Contract: creates
 * all of them durably, or none and throws RetconError; `exists` if one of them is already there.
 */
function createFiles(files: readonly NewFile[]): void {
  const there = files.find(({ path }) => existsSync(path))
  if (there !== undefined) throw new RetconError({ code: "exists", path: there.path })
  const made: string[] = []
  try {
    for (const file of files) {
      create(file)
      made.push(file.path)
    }
  } catch (error) {
    for (const path of made) orNothing(() => rmSync(path, { force: true }))
    throw error
  }
}

/** A program that reads the folder meanwhile sees the complete file or none. */
function create({ path, bytes }: NewFile): void {
  ensureFolder(dirname(path))
  const temporary = temporaryBeside(path)
  try {
    const fd = openSync(temporary, "wx", 0o600)
    try {
      writeFileSync(fd, bytes)
      fsyncSync(fd)
    } finally {
      closeSync(fd)
    }
    // Unlike a rename, a link never replaces an existing file.
    linkSync(temporary, path)
    syncFolder(dirname(path))
  } catch (error) {
    if (errno(error) === "EEXIST") throw new RetconError({ code: "exists", path }, { cause: error })
    throw failure(error, path)
  } finally {
    orNothing(() => rmSync(temporary, { force: true }))
  }
}

/** Whether a path is inside one of an agent's own folders. Compares the paths as text; does not follow links. */
function isBelow(path: string, folders: readonly string[]): boolean {
  if (!isAbsolute(path) || path.includes("\0") || path.split(sep).includes("..")) return false
  return folders.some((folder) => {
    const inside = relative(folder, path)
    return inside !== "" && inside !== ".." && !inside.startsWith(`..${sep}`) && !isAbsolute(inside)
  })
}
