export type Change = { from: number; to: number; text: string }

export function changesIn(source: string): Change[]
export function changed(source: string, change: Change): string
export function lineOf(source: string, change: Change): { number: number; before: string; after: string }
