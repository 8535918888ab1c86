export interface ReportedChange {
  file: string
  line: { before: string; after: string }
}

export function isKnownUnseen(change: ReportedChange): boolean
