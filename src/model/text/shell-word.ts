// A path or a name as you would type it in a shell.
import { sanitiseLine } from "./sanitise.ts"

export function shellWord(text: string): string {
  const line = sanitiseLine(text)
  return /^[\w@%+=:,./-]+$/.test(line) ? line : `'${line.replaceAll("'", "'\\''")}'`
}

/** A command for a person to type, with a `cd` first if they are in another folder. */
export function shellCommand(words: readonly string[], folder: { needed: string; current: string }): string {
  const command = words.map(shellWord).join(" ")
  const { needed, current } = folder
  return needed === "" || needed === current ? command : `cd ${shellWord(needed)} && ${command}`
}
