// Skills and command files, as Claude Code, Codex and others keep them: texts that a person sends by name, and that a model reads when
// a task calls for one. As data: what they would allow, and the commands in them, mean nothing here.
import { createHash } from "node:crypto"
import { readdirSync, readFileSync, realpathSync, statSync } from "node:fs"
import { basename, join, relative } from "node:path"
import { errno } from "../../model/failure/retcon-error.ts"
import { oneLine } from "../../model/text/one-line.ts"
import { isWithin } from "../../model/within.ts"
import { repositoryRoot } from "./instructions.ts"

export interface PromptFile {
  kind: "skill" | "command"
  /** Typed after a slash; `folder:name` for a command in a folder. */
  name: string
  description: string
  /** What to type after it, as its author says. */
  hint: string
  path: string
  whose: "person" | "project"
  /** Without what precedes it between lines of dashes. */
  body: string
  /** False: only a person may ask for it. */
  listed: boolean
}

const SKILLS = [join(".claude", "skills"), join(".agents", "skills")]
const COMMANDS = [join(".claude", "commands"), join(".opencode", "command")]
const PERSON_COMMANDS = [join(".claude", "commands"), join(".codex", "prompts")]
/** As the Agent Skills format has it; a command may be in a folder. */
const NAME = /^[A-Za-z0-9][\w-]{0,63}(?::[A-Za-z0-9][\w-]{0,63}){0,3}$/
const MOST_FILES = 200
const LARGEST = 64_000
const DEEPEST = 3

/**
 * Contract: the person's first, and the first of each name only, so that a project cannot replace what the person has. A link that
 * leads out of a project is not followed. `home`: without it, there are only the project's.
 */
export function findPromptFiles(
  workspace: string,
  home: string | undefined,
  hidden: (path: string) => boolean = () => false,
): PromptFile[] {
  const root = repositoryRoot(workspace)
  const found: PromptFile[] = []
  const add = (folder: string, kind: PromptFile["kind"], whose: PromptFile["whose"], within?: string) => {
    for (const path of filesOf(folder, kind)) {
      const real = realOf(path)
      if (real === undefined || (within !== undefined && !isWithin(within, real)) || hidden(path) || hidden(real))
        continue
      const text = smallText(path)
      const name =
        kind === "skill" ? basename(join(path, "..")) : relative(folder, path).slice(0, -3).replaceAll("/", ":")
      if (text === undefined || !NAME.test(name) || found.some((each) => each.name === name)) continue
      found.push(promptFile(text, { kind, name, path, whose }))
    }
  }
  if (home !== undefined) {
    for (const place of SKILLS) add(join(home, place), "skill", "person")
    for (const place of PERSON_COMMANDS) add(join(home, place), "command", "person")
  }
  // Where the project is the person's home, these are theirs, and were read as such.
  for (const folder of new Set([workspace, root])) {
    const within = realOf(folder)
    if (within === undefined || (home !== undefined && within === realOf(home))) continue
    for (const place of SKILLS) add(join(folder, place), "skill", "project", within)
    for (const place of COMMANDS) add(join(folder, place), "command", "project", within)
  }
  return found
}

/** The person's own skills: a model may read the files in them. */
export function skillFolders(home: string): string[] {
  return SKILLS.map((place) => join(home, place))
}

/** Changes when a project's files say something else: whoever trusts them trusts what they said then. */
export function promptFilesHash(files: readonly PromptFile[]): string {
  const hash = createHash("sha256")
  for (const { whose, name, description, body } of files)
    if (whose === "project") hash.update(JSON.stringify([name, description, body]))
  return hash.digest("hex")
}

/** For the system prompt: at most this many bytes of names and descriptions. */
const LONGEST_LIST = 2000

/** What a model may read when a task calls for it, or nothing. */
export function skillList(files: readonly PromptFile[]): string {
  const skills = files.filter(({ kind, listed }) => kind === "skill" && listed)
  const lines: string[] = []
  let left = LONGEST_LIST
  for (const { name, description, path } of skills) {
    const line = `- ${name}: ${oneLine(description, 300)} (${path})`
    left -= Buffer.byteLength(line) + 1
    if (left < 0) break
    lines.push(line)
  }
  return lines.join("\n")
}

/** The prompt that a file and what was typed after its name make. Commands in it are not run; `unrun` names them. */
export function promptOf({ kind, name, path, body }: PromptFile, typed: string): { text: string; unrun: string[] } {
  const words = Array.from(typed.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g), ([, a, b, c]) => a ?? b ?? c ?? "")
  let used = false
  const filled = body.replace(/\$(?:ARGUMENTS|([1-9]))/g, (_, nth: string | undefined) => {
    used = true
    return nth === undefined ? typed : (words[Number(nth) - 1] ?? "")
  })
  const unrun = Array.from(body.matchAll(/(?<=^|\s)!`([^`\n]+)`/g), ([, command = ""]) => command)
  const before = kind === "skill" ? [`Use the skill ${name}. Its files are beside ${path}.`] : []
  const after = [
    ...(used || typed === "" ? [] : [`ARGUMENTS: ${typed}`]),
    ...(unrun.length === 0 ? [] : ["(A command written as !`…` above was not run. Run it if you need its output.)"]),
  ]
  return { text: [...before, filled.trim(), ...after].join("\n\n"), unrun }
}

function promptFile(text: string, of: Pick<PromptFile, "kind" | "name" | "path" | "whose">): PromptFile {
  const [whole = "", head = ""] = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(text) ?? []
  const body = text.slice(whole.length)
  const fields = frontMatter(head)
  const first = body.split("\n").find((line) => line.trim() !== "" && !line.startsWith("#")) ?? ""
  return {
    ...of,
    description: oneLine(fields.get("description") ?? first, 1024),
    hint: oneLine(fields.get("argument-hint") ?? "", 100),
    body,
    listed: fields.get("disable-model-invocation") !== "true",
  }
}

/** As much YAML as people write there: a value on the line of its key, quoted or not, or folded below it. */
function frontMatter(head: string): Map<string, string> {
  const fields = new Map<string, string>()
  let key = ""
  for (const line of head.split(/\r?\n/)) {
    const [, name, value = ""] = /^([A-Za-z][\w-]*):\s*(.*)$/.exec(line) ?? []
    if (name !== undefined) {
      key = name
      fields.set(key, /^[>|][+-]?$/.test(value.trim()) ? "" : value.trim().replace(/^(["'])(.*)\1$/s, "$2"))
    } else if (/^\s+\S/.test(line) && key !== "") fields.set(key, `${fields.get(key) ?? ""} ${line.trim()}`.trim())
  }
  return fields
}

function filesOf(folder: string, kind: PromptFile["kind"], depth = 0): string[] {
  const entries = namesIn(folder)
  if (kind === "skill") return entries.map((name) => join(folder, name, "SKILL.md"))
  const files = entries.filter((name) => name.endsWith(".md")).map((name) => join(folder, name))
  if (depth >= DEEPEST) return files
  const inner = entries.filter((name) => !name.includes("."))
  const below = inner.flatMap((name) => filesOf(join(folder, name), kind, depth + 1))
  return [...files, ...below].slice(0, MOST_FILES)
}

function namesIn(folder: string): string[] {
  return attempt(() => readdirSync(folder).sort().slice(0, MOST_FILES)) ?? []
}

function realOf(path: string): string | undefined {
  return attempt(() => realpathSync(path))
}

/** Undefined if there is none, or it is no small text: a pipe, a picture, a log. */
function smallText(path: string): string | undefined {
  return attempt(() => {
    const found = statSync(path)
    const text = found.isFile() && found.size <= LARGEST ? readFileSync(path, "utf8") : ""
    return text.trim() === "" || text.includes("\0") ? undefined : text
  })
}

/** What cannot be read is not there. */
function attempt<Value>(read: () => Value): Value | undefined {
  try {
    return read()
  } catch (error) {
    if (errno(error) === undefined) throw error
    return undefined
  }
}
