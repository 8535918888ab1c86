// A recorded session of Claude Code in a person's home: it wrote new.txt, ran a command that added a line, edited the file, started a
// sub-agent and ran two commands at once. `v325` tells which files a command changed, `v197` does not.
import { execFileSync } from "node:child_process"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"

export function putRecorded({ home, cwd, version }: { home: string; cwd: string; version: "v197" | "v325" }): string {
  const sample = join(import.meta.dirname, `../formats/claude-code/samples/tools-full.${version}.jsonl`)
  const whole = readFileSync(sample, "utf8")
  // Up to where it was compacted.
  const text = whole.slice(0, whole.lastIndexOf("\n", whole.indexOf('"subtype":"compact_boundary"')) + 1)
  const name = /"sessionId":"([^"]+)"/.exec(text)?.[1] ?? ""
  const project = join(home, ".claude/projects/-project")
  for (const folder of [project, join(home, ".claude/sessions"), cwd]) mkdirSync(folder, { recursive: true })
  writeFileSync(join(project, `${name}.jsonl`), text.replaceAll(/\/home\/you\/projT\d+/g, cwd))
  execFileSync("git", ["init", "-q", cwd])
  // As the session left it.
  writeFileSync(join(cwd, "new.txt"), "ONE\ntwo\n")
  return name
}
