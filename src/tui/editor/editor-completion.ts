// Completions after `/` and after `@`.
import { count } from "../../model/text/amounts.ts"
import { sanitiseLine } from "../../model/text/sanitise.ts"
import type { AutocompleteItem, AutocompleteProvider } from "../terminal/pi.ts"

export interface TypedCommand {
  name: string
  about: string
  hint: string
}

export interface CompletionDeps {
  /** Names without the slash. */
  commands(): TypedCommand[]
  /** Those of the person's and the project's own files. */
  fileCommands?(): Promise<TypedCommand[]>
  /** Possible arguments of a command. */
  argumentsOf?(command: string, prefix: string): Promise<{ value: string; about: string }[]>
  /** Matching paths, best first; folders end with a slash. `looking`: how many were examined so far, if not all. */
  files?(prefix: string, signal: AbortSignal): Promise<{ paths: string[]; looking?: number }>
}

const FILE = /(?:^|\s)(@(?:"[^"]*|\S*))$/
const COMMAND = /^\/(\S*)$/
const ARGUMENT = /^\/(\S+)\s+(\S*)$/
/** Here `@2` is the second prompt, not a file with a 2 in its name. */
const OF_COMMAND = /^\/[a-z]+\s/i
const MOST = 50

export function completion(parts: CompletionDeps): AutocompleteProvider {
  return {
    async getSuggestions(lines, line, column, { signal }) {
      const before = (lines[line] ?? "").slice(0, column)
      const file = fileTyped(before, line)
      if (file !== undefined) return fits(file, await fileItems(parts, file, signal))
      if (line !== 0) return null
      const command = COMMAND.exec(before)?.[1]
      if (command !== undefined) {
        const all = [...parts.commands(), ...((await parts.fileCommands?.()) ?? [])]
        return fits(before, commandItems(all, command))
      }
      const [, name, prefix] = ARGUMENT.exec(before) ?? []
      if (name === undefined || prefix === undefined) return null
      const values = (await parts.argumentsOf?.(name, prefix)) ?? []
      return fits(
        prefix,
        values.map(({ value, about }) => ({ value, label: sanitiseLine(value), description: sanitiseLine(about) })),
      )
    },
    applyCompletion(lines, line, column, item, prefix) {
      const text = lines[line] ?? ""
      // The list may belong to the text before the last key.
      if (typedBefore(text.slice(0, column), line) !== prefix) return { lines, cursorLine: line, cursorCol: column }
      const start = column - prefix.length
      const changed = [...lines]
      changed[line] = text.slice(0, start) + item.value + text.slice(column)
      return { lines: changed, cursorLine: line, cursorCol: start + item.value.length }
    },
    shouldTriggerFileCompletion: (lines, line, column) =>
      fileTyped((lines[line] ?? "").slice(0, column), line) !== undefined,
  }
}

function fileTyped(before: string, line: number): string | undefined {
  return line === 0 && OF_COMMAND.test(before) ? undefined : FILE.exec(before)?.[1]
}

/** What a completion would replace. */
function typedBefore(before: string, line: number): string | undefined {
  return fileTyped(before, line) ?? (COMMAND.test(before) ? before : ARGUMENT.exec(before)?.[2])
}

function fits(prefix: string, items: AutocompleteItem[]) {
  return items.length === 0 ? null : { items: items.slice(0, MOST), prefix }
}

function commandItems(all: readonly TypedCommand[], typed: string): AutocompleteItem[] {
  // An exact match comes first, because Enter takes the first.
  const starts = all
    .filter(({ name }) => name.startsWith(typed))
    .sort((a, b) => Number(b.name === typed) - Number(a.name === typed))
  const holds = all.filter(({ name }) => !name.startsWith(typed) && name.includes(typed))
  return [...starts, ...holds].map(({ name, about, hint }) => ({
    value: `/${name}${hint === "" ? "" : " "}`,
    label: `/${name}${hint === "" ? "" : ` ${hint}`}`,
    description: sanitiseLine(about),
  }))
}

async function fileItems(parts: CompletionDeps, typed: string, signal: AbortSignal): Promise<AutocompleteItem[]> {
  const prefix = typed.replace(/^@"?/, "")
  const { paths, looking } = (await parts.files?.(prefix, signal)) ?? { paths: [] }
  const items = paths.map((path) => ({
    value: /\s/.test(path) ? `@"${path}" ` : path.endsWith("/") ? `@${path}` : `@${path} `,
    label: sanitiseLine(path),
  }))
  if (looking === undefined) return items
  const label = `… still looking: ${count(looking, "path")} so far`
  return [...items.slice(0, MOST - 1), { value: typed, label }]
}
