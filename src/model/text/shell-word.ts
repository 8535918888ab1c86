// A path or a name as it can be typed in a shell.
import { sanitiseLine } from "./sanitise.ts"

export function shellWord(text: string): string {
  const line = sanitiseLine(text)
  return /^[\w@%+=:,./-]+$/.test(line) ? line : `'${line.replaceAll("'", "'\\''")}'`
}

/** A command as a person types it, from another folder too. */
export function shellCommand(words: readonly string[], folder: { needed: string; current: string }): string {
  const command = words.map(shellWord).join(" ")
  const { needed, current } = folder
  return needed === "" || needed === current ? command : `cd ${shellWord(needed)} && ${command}`
}
