// A path or a name as it can be typed in a shell.
import { sanitiseLine } from "./sanitise.ts"

export function shellWord(text: string): string {
  const line = sanitiseLine(text)
  return /^[\w@%+=:,./-]+$/.test(line) ? line : `'${line.replaceAll("'", "'\\''")}'`
}
