// What is wrong with a session, as data with words: for the page, and for scripts.
import { reportOn } from "../../app/open/foreign-report.ts"
import { findingWords } from "../../app/protection/finding-words.ts"
import type { SessionId } from "../../model/id.ts"
import type { Json } from "../../model/json.ts"
import { examineSession } from "../../store/file/doctor/examine-folder.ts"
import type { Cli } from "../port/cli.ts"

/** Contract (docs/api.md): `findings` and, for another agent's session, an item for each of its lines. */
export async function examineServed(
  cli: Pick<Cli, "store" | "now">,
  id: SessionId,
  file: string | undefined,
): Promise<Json> {
  if (cli.store.fileOf(id) === undefined) return examineTheirs(cli, id)
  if (file === undefined) return { findings: [] }
  const tick = () => new Promise<void>((settle) => setImmediate(settle))
  const examined = await examineSession(file, cli.now, tick)
  const findings = examined.flatMap(({ path, findings: found }) =>
    found.map((finding) => ({ file: path, ...finding, ...findingWords(finding, path) })),
  )
  return { findings }
}

async function examineTheirs(cli: Pick<Cli, "store">, id: SessionId): Promise<Json> {
  const log = await cli.store.foreign.open(id)
  try {
    const report = reportOn(log)
    const wrong = { damaged: report.damaged, twice: report.duplicates, orphan: report.orphans.map(({ line }) => line) }
    const findings = Object.entries(wrong).flatMap(([kind, lines]) => {
      if (lines.length === 0) return []
      const finding = { kind: "foreign", agent: log.agent ?? "", id, wrong: kind as keyof typeof wrong, lines } as const
      return [{ file: log.file, ...finding, ...findingWords(finding, log.file ?? id) }]
    })
    return { ...report, findings } as unknown as Json
  } finally {
    await log.close()
  }
}
