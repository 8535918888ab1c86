// The file with what a person ignores in every repository. Of git's settings, only that one is read.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { errno } from "../../model/failure/retcon-error.ts"
import { gitSetting } from "../../workspace/git/project/git-config.ts"

type Env = Readonly<Record<string, string | undefined>>

export function personIgnore(env: Env): { personIgnore?: string } {
  const { HOME, XDG_CONFIG_HOME } = env
  const folder = XDG_CONFIG_HOME || (HOME === undefined ? undefined : join(HOME, ".config"))
  const settings = [
    ...(HOME === undefined ? [] : [join(HOME, ".gitconfig")]),
    ...(folder === undefined ? [] : [join(folder, "git/config")]),
  ]
  for (const file of settings) {
    const named = gitSetting(textOf(file), "core", "excludesfile")
    if (named !== undefined) return { personIgnore: named.replace(/^~(?=\/)/, HOME ?? "~") }
  }
  return folder === undefined ? {} : { personIgnore: join(folder, "git/ignore") }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8")
  } catch (error) {
    if (errno(error) === undefined) throw error
    return ""
  }
}
