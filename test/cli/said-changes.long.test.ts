// Random plays of Claude Code and a person in one folder, without hooks: what a restore makes of what the session file tells.
import * as fc from "fast-check"
import { expect, test } from "vitest"
import { ClaudeAtWork } from "./hook/claude-at-work.ts"
import { bash, edit, write } from "./hook/claude-tools.ts"

const PATHS = ["a.txt", "b.txt", "crlf.txt", "d.txt"]
const line = fc.constantFrom("x", "y", "z", "é", "")
const text = fc
  .tuple(fc.array(line, { minLength: 1, maxLength: 12 }), fc.boolean())
  .map(([lines, ends]) => lines.join("\n") + (ends ? "\n" : ""))
const path = fc.constantFrom(...PATHS)

const act = fc.oneof(
  fc.record({ does: fc.constant("write" as const), path, text }),
  fc.record({ does: fc.constant("edit" as const), path, at: fc.nat(), large: fc.boolean() }),
  fc.record({ does: fc.constant("bash" as const), path, text: fc.option(text), tells: fc.boolean() }),
  fc.record({ does: fc.constant("append" as const), path }),
  fc.record({ does: fc.constant("person" as const), path }),
)
type Act = typeof act extends fc.Arbitrary<infer Value> ? Value : never

class Play extends ClaudeAtWork {
  /** What files contained before each round, and which of them the person changed since. */
  readonly earlier: Map<string, string | undefined>[] = []
  readonly persons: { path: string; round: number; line: string }[] = []
  /** What a command changed without a word about it: what comes back is then from after that. */
  readonly untold: { path: string; round: number }[] = []
  #count = 0

  contents(): Map<string, string | undefined> {
    return new Map(PATHS.map((each) => [each, this.get(each)]))
  }

  async play(acts: readonly Act[]): Promise<void> {
    this.earlier.push(this.contents())
    // One call after the other, because each is told from what it finds.
    await this.round(`round ${this.earlier.length}`, [])
    for (const each of acts) {
      const call = this.#callOf(each)
      if (call !== undefined) await this.goOn([call])
    }
  }

  #callOf(given: Act) {
    const { cwd } = this
    const now = this.get(given.path)
    if (given.does === "person") {
      const line = `person ${++this.#count}\n`
      this.put(given.path, line + (now ?? ""))
      this.persons.push({ path: given.path, round: this.earlier.length - 1, line })
      return undefined
    }
    if (given.does === "bash" && !given.tells) this.untold.push({ path: given.path, round: this.earlier.length - 1 })
    if (given.does === "bash") return bash(cwd, { [given.path]: given.text }, given)
    if (given.does === "append") return bash(cwd, { [given.path]: `${now ?? ""}more\n` })
    // What it writes over CRLF, it tells with LF: nothing shows that the file had CRLF.
    if (given.does === "write") return now?.includes("\r\n") ? undefined : write(cwd, given.path, given.text)
    const lines = (now ?? "").replaceAll("\r\n", "\n").split("\n")
    const old = lines.slice(0, (given.at % lines.length) + 1).join("\n")
    return old === "" ? undefined : edit(cwd, given.path, old, `edited ${++this.#count}\n${old}`, given.large)
  }
}

test("what comes back has exactly its bytes of then, nobody's own lines are lost, and undo gives back everything", async () => {
  let back = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(act, { maxLength: 4 }), { minLength: 1, maxLength: 4 }),
      fc.nat(),
      async (rounds, pick) => {
        const bench = new Play()
        bench.hooked = false
        for (const each of PATHS.slice(0, 3))
          bench.put(each, each === "crlf.txt" ? "1\r\n2\r\n3\r\n4\r\n5\r\n" : "1\n2\n3\n4\n5\n6\n7\n")
        for (const acts of rounds) await bench.play(acts)
        const round = pick % rounds.length
        const before = bench.contents()
        const ran = await bench.run(["restore", `@${round + 1}`, "-s", bench.name, "--ours", "--json"])
        if (ran.exit !== 0) throw new Error(ran.err)
        const told = new Set((JSON.parse(ran.out).files as { path: string }[]).map((file) => file.path))
        for (const each of PATHS) {
          const since = (of: { path: string; round: number }) => of.path === each && of.round >= round
          const own = bench.persons.filter(since)
          const now = bench.get(each)
          if (!told.has(each)) expect([each, now]).toEqual([each, before.get(each)])
          else if (own.length === 0 && !bench.untold.some(since))
            expect([each, now]).toEqual([each, bench.earlier[round]?.get(each)])
          for (const { line } of own) if (before.get(each)?.includes(line)) expect(now).toContain(line)
          if (told.has(each)) back++
        }
        if (told.size > 0) await bench.done(`undo -s ${bench.name} --even-if-running`)
        expect(bench.contents()).toEqual(before)
      },
    ),
    { numRuns: 25 },
  )
  expect(back).toBeGreaterThan(10)
})
