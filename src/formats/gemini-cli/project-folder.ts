// The folder where Gemini CLI keeps the sessions of a project.
import { readdirSync } from "node:fs"
import { basename, join } from "node:path"
import { isObject, parseJson } from "../../model/json.ts"
import type { AgentHomes } from "../port.ts"
import { objectField } from "../shared/json-line.ts"
import { readHead } from "../shared/read-head.ts"
import { geminiFolder } from "./place.ts"

/**
 * The folder of a project: the one Gemini CLI already has for it, or one that it will adopt because of the file in it.
 */
export function projectFolder(homes: AgentHomes, cwd: string): { path: string; known: boolean } {
  const folder = geminiFolder(homes)
  const parsed = parseJson(readHead(join(folder, "projects.json"), 1024 * 1024).toString("utf8"))
  const projects = parsed.ok && isObject(parsed.value) ? (objectField(parsed.value, "projects") ?? {}) : {}
  const names = namesIn(join(folder, "tmp"))
  const owner = (name: string) =>
    readHead(join(folder, "tmp", name, ".project_root"), 4096)
      .toString("utf8")
      .trim()
  const registered = projects[cwd]
  const known =
    typeof registered === "string" && /^[\w.-]+$/.test(registered) && !/^\.+$/.test(registered) ? registered : undefined
  const own = known ?? names.find((name) => owner(name) === cwd)
  if (own !== undefined) return { path: join(folder, "tmp", own), known: owner(own) === cwd }
  const slug =
    basename(cwd)
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, "-")
      .replaceAll(/^-|-$/g, "") || "project"
  const taken = new Set([...names, ...Object.values(projects)])
  for (let n = 0; ; n++) {
    const name = n === 0 ? slug : `${slug}-${n}`
    if (!taken.has(name)) return { path: join(folder, "tmp", name), known: false }
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (error instanceof Error && "code" in error) return []
    throw error
  }
}
