// A group of figures: what `npm run bench -- NAME` runs.
import type { Figure } from "./figure.ts"

export interface Bench {
  /** The folder of this run. It is removed afterwards. */
  folder: string
  /** Also measure what takes minutes and gigabytes. */
  large: boolean
  /** Whether figures with this name are wanted: all are, unless `--only` names some. */
  wants(name: string): boolean
  /** Adds a row to the table. */
  report(figure: Figure): void
  /** Runs `bench/<measure>.ts` in a fresh process, bundled as the package is, and returns its result. */
  measure<Answer>(measure: string, given: object, options?: { memory?: boolean }): Promise<Answer>
}

export type Group = (bench: Bench) => Promise<void>

/** Every group by name. A group is loaded only if it is wanted. */
export const GROUPS: ReadonlyMap<string, () => Promise<Group>> = new Map([
  ["engine", async () => (await import("./engine/group.ts")).engine],
  ["foreign", async () => (await import("./foreign/group.ts")).foreign],
  ["workspace", async () => (await import("./workspace/group.ts")).workspace],
  ["agent", async () => (await import("./agent/group.ts")).agent],
  ["tui", async () => (await import("./tui/group.ts")).tui],
  ["web", async () => (await import("./web/group.ts")).web],
])
