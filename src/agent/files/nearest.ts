// What was probably meant: the names in a folder most similar to one that does not exist.
import { readdir } from "node:fs/promises"
import { errno } from "../../model/failure/retcon-error.ts"
import { isMissing } from "../port/tool.ts"

const MOST_HINTS = 5

/** The most similar names, best first. Empty if the folder does not exist either. */
export async function nearestNames(folder: string, name: string): Promise<string[]> {
  let names: string[]
  try {
    names = await readdir(folder)
  } catch (error) {
    if (isMissing(error) || errno(error) === "EACCES") return []
    throw error
  }
  return names
    .map((candidate) => ({ candidate, likeness: likeness(candidate.toLowerCase(), name.toLowerCase()) }))
    .filter(({ likeness }) => likeness >= 0.5)
    .sort((a, b) => b.likeness - a.likeness || (a.candidate < b.candidate ? -1 : 1))
    .slice(0, MOST_HINTS)
    .map(({ candidate }) => candidate)
}

/** 0 to 1: the share of pairs of neighbouring characters that two texts have in common. */
export function likeness(a: string, b: string): number {
  if (a === b) return 1
  const pairs = new Map<string, number>()
  for (let i = 0; i + 1 < a.length; i++) pairs.set(a.slice(i, i + 2), (pairs.get(a.slice(i, i + 2)) ?? 0) + 1)
  let common = 0
  for (let i = 0; i + 1 < b.length; i++) {
    const left = pairs.get(b.slice(i, i + 2)) ?? 0
    if (left === 0) continue
    common++
    pairs.set(b.slice(i, i + 2), left - 1)
  }
  return (2 * common) / Math.max(1, a.length + b.length - 2)
}
