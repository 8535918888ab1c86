// What an open session consists of, and what is wrong with it.
import { type History, path, type Row } from "../../history/tree/tree.ts"
import { ORIGINS, ROLES } from "../../model/record/origin.ts"
import { KIND } from "../../model/record/record.ts"
import type { DoctorAnswer } from "../../protocol/shapes.ts"
import type { SessionLog } from "../../store/port.ts"
import { withWords } from "../protection/finding-words.ts"

export async function examineOpen(log: SessionLog, head: Row, now: () => number): Promise<DoctorAnswer> {
  const counts = countsOf(log.history, head)
  const { agent, id, file } = log
  if (agent !== undefined) {
    const { reportOf } = await import("./foreign-report.ts")
    const report = reportOf(log)
    const wrong = { damaged: report.damaged, twice: report.duplicates, orphan: report.orphans.map(({ line }) => line) }
    const findings = Object.entries(wrong).flatMap(([kind, lines]) => {
      const finding = { kind: "foreign", agent, id, wrong: kind as keyof typeof wrong, lines } as const
      return lines.length === 0 ? [] : [{ file: file ?? id, ...withWords(finding, file ?? id) }]
    })
    return { ...counts, ...report, findings }
  }
  if (file === undefined) return { ...counts, findings: [] }
  const { examineSession } = await import("../../store/file/doctor/examine-folder.ts")
  const examined = await examineSession(file, now, () => new Promise((settle) => setImmediate(settle)))
  const findings = examined.flatMap((each) =>
    each.findings.map((finding) => ({ file: each.path, ...withWords(finding, each.path) })),
  )
  return { ...counts, findings }
}

const KIND_NAMES = new Map<number, string>(Object.entries(KIND).map(([name, kind]) => [kind, name]))
const USER = ROLES.indexOf("user")

function countsOf(history: History, head: Row): Omit<DoctorAnswer, "findings"> {
  const onPath = new Set(path(history, head))
  const [kinds, origins]: [Record<string, number>, Record<string, number>] = [{}, {}]
  const [prompts, userMessages] = [
    { path: 0, all: 0 },
    { path: 0, all: 0 },
  ]
  const add = (counted: typeof prompts, row: number) => {
    counted.all++
    if (onPath.has(row)) counted.path++
  }
  for (let row = 0; row < history.size; row++) {
    const kind = history.kind(row)
    const name = KIND_NAMES.get(kind) ?? "unknown"
    kinds[name] = (kinds[name] ?? 0) + 1
    if (kind !== KIND.message) continue
    const origin = ORIGINS[history.origin(row)] ?? "unknown"
    origins[origin] = (origins[origin] ?? 0) + 1
    if (history.isPrompt(row)) add(prompts, row)
    if (history.role(row) === USER) add(userMessages, row)
  }
  return { kinds, origins, prompts, userMessages }
}
