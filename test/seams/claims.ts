// What the answers of a play claim, and whether it is true of the log.
import { expect } from "vitest"
import type { NaiveLog } from "./naive-log.ts"
import type { Act } from "./steps.ts"
import type { Answer } from "./world.ts"

const VIA = { shell: "command-line", server: "api", plain: "terminal", mcp: "mcp", agent: "" } as const

export class Claims {
  readonly #name: <Id extends string | null | undefined>(id: Id) => Id

  /** How many moves each front end was told it made; and with which operation, if it was told. */
  readonly #moved: Record<string, number> = {}
  readonly #operations: Answer[] = []
  /** Prompts that were accepted, refused, or given back. */
  readonly sent = new Map<string, "in" | "out" | "either">()
  /** The person's own commands, by what is recorded of each. */
  readonly commands = new Map<string, "in" | "out">()
  readonly labels = new Map<string, string | undefined>()
  moves = 0

  /** `name`: what the log calls an id of an answer. */
  constructor(name: <Id extends string | null | undefined>(id: Id) => Id) {
    this.#name = name
  }

  moved(by: Act["by"], answer: Answer): void {
    if (answer.outcome !== "moved") return
    this.moves++
    this.#moved[VIA[by]] = (this.#moved[VIA[by]] ?? 0) + 1
    this.#operations.push(answer)
  }

  compacted(answer: Answer): Answer {
    if (answer.error === undefined && answer.entry !== undefined) this.#moved.compact = (this.#moved.compact ?? 0) + 1
    return answer
  }

  check(log: NaiveLog): void {
    for (const { operation, kind, from, head } of this.#operations) {
      if (operation === undefined) continue
      const found = log.operations.find(({ id }) => id === this.#name(operation))
      const moved = { from: this.#name(from), to: this.#name(head) }
      expect(found, `operation ${operation}`).toMatchObject({ kind, head: moved })
    }
    const made: Record<string, number> = {}
    for (const { kind, via = "none" } of log.operations) {
      if (kind === "retract") continue
      const by = kind === "compact" ? "compact" : via
      made[by] = (made[by] ?? 0) + 1
    }
    expect(made, "moves").toEqual(this.#moved)
    for (const [text, is] of this.sent) {
      const times = log.texts.filter((each) => each === text).length
      if (is === "in") expect(times, `prompt ${text}`).toBe(1)
      else if (is === "out") expect(times, `prompt ${text}`).toBe(0)
      else expect(times, `prompt ${text}`).toBeLessThanOrEqual(1)
    }
    const commands = log.lines.filter(({ origin }) => origin === "shell").map(({ content }) => content?.[0]?.text ?? "")
    for (const [command, is] of this.commands)
      expect(
        commands.filter((text) => text.includes(`$ ${command}\n`)),
        `command ${command}`,
      ).toHaveLength(is === "in" ? 1 : 0)
    for (const [name, entry] of this.labels) {
      const last = log.lines.findLast((line) => line.type === "label" && line.name === name)
      expect(last, `label ${name}`).toBeDefined()
      if (entry !== undefined) expect(last?.entry, `label ${name}`).toBe(this.#name(entry))
    }
  }
}
