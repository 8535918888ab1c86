// Words that end with a command. A command that is broken into lines cannot be copied and run.
import { widthOf } from "../../model/text/width.ts"
import { wrap } from "../../model/text/wrap.ts"

/** The command goes on a separate line if it does not fit after the words, and is never broken. */
export function wrapCommand(words: string, command: string, width: number): string[] {
  const whole = `${words} ${command}`
  return widthOf(whole) <= width ? [whole] : [...wrap(words, width), `  ${command}`]
}
