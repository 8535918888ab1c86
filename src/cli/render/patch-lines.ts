// A patch in colours.
import { sanitise } from "../../model/text/sanitise.ts"
import type { Style } from "./style.ts"

export function* patchLines(patch: string, style: Style): Generator<string> {
  for (const line of sanitise(patch).replace(/\n$/, "").split("\n")) {
    if (/^(diff |---|\+\+\+|index |new file|deleted file)/.test(line)) yield style.strong(line)
    else if (line.startsWith("@@")) yield style.id(line)
    else if (line.startsWith("+")) yield style.good(line)
    else if (line.startsWith("-")) yield style.bad(line)
    else yield line
  }
}
