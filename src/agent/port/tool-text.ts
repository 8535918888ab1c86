// A tool's description is a .md file beside its code. The build copies these files beside the bundle, so the same line
// finds them from source and from dist; no loader for .md works in node, tsx, vitest and a bundle alike.
import { readFileSync } from "node:fs"

/** `from`: import.meta.url of the caller. */
export function toolText(from: string, name: string): string {
  return readFileSync(new URL(`./${name}.md`, from), "utf8").trim()
}
