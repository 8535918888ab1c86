// Words that end with a command. A command that is broken into lines cannot be copied and run.
import { widthOf, wrap } from "../../model/text/sanitise.ts"

/** The command goes on a separate line if it does not fit after the words, and is never broken. */
export function wrapCommand(words: string, command: string, width: number): string[] {
  const whole = `${words} ${command}`
  return widthOf(whole) <= width ? [whole] : [...wrap(words, width), `  ${command}`]
}
