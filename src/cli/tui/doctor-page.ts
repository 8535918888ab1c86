// /doctor: what is wrong with the open session.
import type { SessionContents } from "../../protocol/host.ts"
import type { Cli } from "../port/cli.ts"
import { doctorLines, totalLine, totalsOf } from "../render/doctor-lines.ts"
import { styleFor } from "../render/style.ts"

/** Returns the lines of what was found, for any width. */
export async function examineOpen(cli: Cli, session: SessionContents): Promise<(width: number) => string[]> {
  const { file, history, id } = session
  if (file === undefined) return () => ["Nothing has been written yet: there is nothing to check."]
  const { findings } = await session.doctor()
  const files = [...new Set([file, ...findings.map((each) => each.file)])]
  const examined = files.map((each) => {
    const own = findings.filter((finding) => finding.file === each)
    return { file: each, session: each === file ? id : null, lines: each === file ? history.size : 0, findings: own }
  })
  const style = styleFor(cli.out)
  const total = totalLine(totalsOf(examined), style)
  return (width) => [...doctorLines(examined, width, style), total]
}
