// What a line of the log is, as one small number. Rows of an index store these numbers, so they never change.

export const KIND = {
  blank: 0,
  damaged: 1,
  session: 2,
  message: 3,
  checkpoint: 4,
  note: 5,
  compaction: 6,
  state: 7,
  merge: 8,
  unknownEntry: 9,
  operation: 10,
  snapshot: 11,
  label: 12,
  config: 13,
  unknown: 14,
  /** A later line of another agent's file that gives an entry a new body. The row's `unit` is that entry. */
  amendment: 15,
} as const

export type Kind = (typeof KIND)[keyof typeof KIND]

/** Whether a row of this kind is in the tree. */
export function isEntryKind(kind: number): boolean {
  return kind >= KIND.message && kind <= KIND.unknownEntry
}

const BY_TYPE = new Map<string, Kind>([
  ["session", KIND.session],
  ["message", KIND.message],
  ["checkpoint", KIND.checkpoint],
  ["note", KIND.note],
  ["compaction", KIND.compaction],
  ["state", KIND.state],
  ["merge", KIND.merge],
  ["unknown-entry", KIND.unknownEntry],
  ["operation", KIND.operation],
  ["snapshot", KIND.snapshot],
  ["label", KIND.label],
  ["config", KIND.config],
  ["unknown", KIND.unknown],
])

export function kindOf(type: string): Kind {
  return BY_TYPE.get(type) ?? KIND.unknown
}

/** The types that this version writes to a log, by the word on the line. */
export const WRITTEN_TYPES: readonly [string, Kind][] = [...BY_TYPE].filter(
  ([, kind]) => kind !== KIND.unknown && kind !== KIND.unknownEntry,
)
