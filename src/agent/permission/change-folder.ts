// `cd` in a command line: into a folder of the workspace it needs no rule. What follows is judged by itself.
import { resolve } from "node:path"
import { isWithin } from "../../model/within.ts"
import type { SimpleCommand, Word } from "./shell-words.ts"
import { INTERPRETERS } from "./wider-command.ts"

/** Whether this is `cd` into `cwd` or a folder in it, whatever an earlier `cd` did. */
export function isInnerFolder(words: readonly Word[], cwd: string): boolean {
  const [program, to, ...more] = words
  if (program?.text !== "cd" || to?.becomes !== "itself" || more.length > 0) return false
  return /^[^-]/.test(to.text) && !to.text.split("/").includes("..") && isWithin(cwd, resolve(cwd, to.text))
}

/** Whether what a rule for the command means depends on the folder: on the repository there, or on a relative path. */
export function dependsOnFolder({ words }: SimpleCommand): boolean {
  const [program = "", first = ""] = words.map(({ text }) => text)
  if (program === "git" || INTERPRETERS.has(program)) return first !== "-m"
  return program.includes("/") && !program.startsWith("/")
}

/** Whether it leads away from `cwd`. Contract: `words` are an inner folder's. */
export function leads(words: readonly Word[], cwd: string): boolean {
  return resolve(cwd, words[1]?.text ?? "") !== resolve(cwd)
}
