// Rules such as `Write(/src/**)`, which start at the root of the disk but were meant to start at the workspace.
import { existsSync } from "node:fs"
import { join } from "node:path"
import { parseRule } from "./rule.ts"
import { WITH_PATHS } from "./rule-problems.ts"

/** A sentence for each rule whose folder exists in the workspace but not at the root of the disk. */
export function rootedProblems(rules: readonly string[], root: string): string[] {
  return rules.flatMap((text) => {
    const { tool, pattern = "" } = parseRule(text) ?? { tool: "" }
    const [, first] = /^\/([^/*?[{\\]+)/.exec(pattern) ?? []
    if (first === undefined || !WITH_PATHS.includes(tool)) return []
    if (existsSync(`/${first}`) || !existsSync(join(root, first))) return []
    return [
      `The rule ${text} starts at the root of the disk, where there is no /${first}. ` +
        `For this folder, write: ${tool}(${pattern.slice(1)})`,
    ]
  })
}
