// What the server finds in a session's files: damage and, in another agent's session, each line of its file with a reason.
import type { Api } from "../../src/client/api.ts"
import type { RecordId, SessionId } from "../../src/model/id.ts"

export interface DoctorReport {
  findings: FoundProblem[]
  /** Absent for our own sessions, whose rows are their lines. */
  lines?: DoctorLine[]
}

export interface FoundProblem {
  severity: "problem" | "note"
  /** The lines that it is about. */
  line?: number
  lines?: number[]
  what: string
  means: string
  advice: string
}

export interface DoctorLine {
  line: number
  id: RecordId
  /** Who or what said it; for anything but a message, its kind. */
  origin: string
  /** Why it was classified as that. */
  why: string
  onPath: boolean
}

export async function askDoctor(api: Api, session: SessionId): Promise<DoctorReport> {
  const { findings = [], lines } = await api.get<Partial<DoctorReport>>(`sessions/${session}/doctor`)
  return { findings, ...(lines !== undefined && { lines }) }
}

const MOST_NAMED = 8

/** Such as "Lines 3 and 7 cannot be read: … What it means. What to do." */
export function findingText({
  line,
  lines = line === undefined ? [] : [line],
  what,
  means,
  advice,
}: FoundProblem): string {
  const named = lines.slice(0, MOST_NAMED).join(", ")
  const more = lines.length > MOST_NAMED ? ` and ${lines.length - MOST_NAMED} more` : ""
  const where = lines.length === 0 ? "" : `${lines.length === 1 ? "Line" : "Lines"} ${named}${more}: `
  return [`${where}${what}${/[.!?]$/.test(what) ? "" : "."}`, means, advice].filter((text) => text !== "").join(" ")
}
