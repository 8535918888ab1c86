// Where Neovate Code keeps a session: `~/.neovate/projects/<slug of the folder>/<eight hex digits>.jsonl`.
import { basename, dirname, join } from "node:path"
import { type JsonObject, parseJson } from "../../model/json.ts"
import { objectField, textField } from "../shared/json-line.ts"

/** The session's own name, which is that of its file. */
export function nameOf(path: string): string {
  return basename(path).replace(/\.jsonl$/, "")
}

/** Neovate's own folder, if the file is where Neovate keeps it. */
export function neovateHome(path: string): string | undefined {
  const projects = dirname(dirname(path))
  return basename(projects) === "projects" ? dirname(projects) : undefined
}

/** Neovate's name for the folder of a project: it leaves out some characters of the path. */
export function slugOf(cwd: string): string {
  return cwd
    .replaceAll(/[^a-zA-Z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "")
    .toLowerCase()
}

/** The file that records the folders in which prompts were typed. */
export function dataFile(home: string): string {
  return join(home, "data.json")
}

/** Where it copies files before its tools write to them. */
export function fileHistoryFolder(home: string, name: string): string {
  return join(home, "file-history", name)
}

/** The folder of a session, from our own line at its beginning, if the name of the session's folder agrees. */
export function cwdTold(lines: readonly JsonObject[], path: string): string | undefined {
  const told = lines.map((line) => textField(objectField(line, "retcon"), "cwd"))
  return told.find((cwd) => cwd !== undefined && slugOf(cwd) === basename(dirname(path)))
}

/**
 * The folder in which a session was created. Sessions do not say so, but Neovate records what people typed by folder,
 * and the slug of one of those folders is the name of the session's own folder. `data` may be cut off.
 */
export function cwdIn(data: Buffer | undefined, path: string): string | undefined {
  if (data === undefined) return undefined
  const slug = basename(dirname(path))
  for (const [, quoted = ""] of data.toString("utf8").matchAll(/("(?:[^"\\]|\\.)+")\s*:\s*\{\s*"history"/g)) {
    const parsed = parseJson(quoted)
    if (parsed.ok && typeof parsed.value === "string" && slugOf(parsed.value) === slug) return parsed.value
  }
  return undefined
}
