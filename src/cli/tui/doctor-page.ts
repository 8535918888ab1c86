// /doctor: what is wrong with the open session.
import type { SessionContents } from "../../protocol/host.ts"
import { examineSession } from "../../store/file/doctor/examine-folder.ts"
import type { Cli } from "../port/cli.ts"
import { doctorLines, totalLine, totalsOf } from "../render/doctor-lines.ts"
import { styleFor } from "../render/style.ts"

/** Returns the lines of what was found, for any width. */
export async function examineOpen(cli: Cli, { file }: SessionContents): Promise<(width: number) => string[]> {
  if (file === undefined) return () => ["Nothing has been written yet: there is nothing to check."]
  const tick = () => new Promise<void>((settle) => setImmediate(settle))
  const examined = await examineSession(file, cli.now, tick)
  const style = styleFor(cli.out)
  const total = totalLine(totalsOf(examined.slice(0, 1)), style)
  return (width) => [...doctorLines(examined, width, style), total]
}
