import * as fc from "fast-check"
import { expect, test, vi } from "vitest"
import { contextAt, growingContext } from "../../src/history/context/context.ts"
import { NONE } from "../../src/history/tree/tree.ts"
import { type Body, calls, picture, results } from "./picture.ts"

const LETTERS = ["p", "u", "a", "k", "w", "w", "r", "r", "c", "n", "s", "y", "z", "x"] as const
const anyEntry = fc.record({ kind: fc.constantFrom(...LETTERS), parent: fc.nat(), pick: fc.nat(3) })

/** A tree of entries, each under the one before or under any earlier one. */
function planted(entries: readonly { kind: string; parent: number; pick: number }[]) {
  const bodies: { [name: string]: Body } = {}
  const names: string[] = []
  const branches = entries.map(({ kind, parent, pick }, i) => {
    const name = `${kind}${i}`
    const body = special(kind, i, pick, names)
    if (body !== undefined) bodies[name] = body
    const above = parent % 3 === 0 ? names[parent % Math.max(1, names.length)] : names.at(-1)
    names.push(name)
    return above === undefined ? name : `${above} > ${name}`
  })
  return { tree: picture(branches.join("; "), bodies), names }
}

function special(kind: string, i: number, pick: number, names: readonly string[]): Body | undefined {
  if (kind === "k") return calls(`call${pick}`, `call${pick + 1}`)
  // A piece of an answer that another agent wrote in several.
  if (kind === "w") return { ...calls(`call${pick}`), answer: `m${pick % 2}` }
  if (kind === "r") return results(`call${pick}`)
  if (kind === "y") return { type: "state", key: "system", value: `system ${i}` }
  if (kind !== "z" || names.length === 0) return undefined
  const row = Math.max(0, names.length - 1 - pick)
  const keepFrom = `01890a5d-ac96-7000-8000-${row.toString(16).padStart(12, "0")}`
  return { type: "compaction", summary: `summary ${i}`, prompts: ["a prompt"], keepFrom, cause: "person" }
}

test("a context that grew from head to head is the one made at once, whichever way the heads went", () => {
  const property = fc.property(
    fc.array(anyEntry, { minLength: 1, maxLength: 40 }),
    fc.array(fc.oneof({ weight: 3, arbitrary: fc.constant(-1) }, { weight: 1, arbitrary: fc.nat() }), {
      maxLength: 60,
    }),
    fc.constantFrom("shown" as const, "hidden" as const),
    (entries, walk, checkpoints) => {
      const { tree } = planted(entries)
      const at = growingContext(tree)
      let row = 0
      for (const step of walk) {
        row = step === -1 ? (row + 1) % tree.size : step % (tree.size + 1)
        const head = row === tree.size ? NONE : row
        expect(at(head, { checkpoints })).toEqual(contextAt(tree, head, { checkpoints }))
      }
    },
  )
  fc.assert(property, { numRuns: 300 })
})

test("what was returned before does not change when the context grows", () => {
  const { tree } = planted(
    ["y", "p", "c", "k", "r", "c", "n", "a", "p", "c"].map((kind) => ({ kind, parent: 1, pick: 0 })),
  )
  const at = growingContext(tree)
  const answers = Array.from({ length: tree.size }, (_, row) => ({ row, messages: at(row, { checkpoints: "shown" }) }))
  for (const { row, messages } of answers) expect(messages).toEqual(contextAt(tree, row, { checkpoints: "shown" }))
})

test("after a move back or an undo nothing is read again, and after an append only what is new", () => {
  const { tree } = planted(
    Array.from({ length: 200 }, (_, i) => ({ kind: i % 2 === 0 ? "p" : "a", parent: 1, pick: 0 })),
  )
  const at = growingContext(tree)
  at(150)
  const read = vi.spyOn(tree, "record")
  at(100)
  expect(read).not.toHaveBeenCalled()
  at(104)
  expect(read.mock.calls.map(([row]) => row)).toEqual([101, 102, 103, 104])
})

test("a caller cannot change what the next one gets", () => {
  const { tree } = planted(["p", "a", "p"].map((kind) => ({ kind, parent: 1, pick: 0 })))
  const at = growingContext(tree)
  const [first] = at(2)
  expect(() => first?.content.push({ type: "text", text: "more" })).toThrow(TypeError)
  at(2).pop()
  expect(at(2)).toEqual(contextAt(tree, 2))
})

test("the numbers of checkpoints are shown only to callers who ask for them, no matter who asked before", () => {
  const tree = picture("p1 > c1 > a1")
  const grow = growingContext(tree)
  for (const checkpoints of ["shown", "hidden", "shown", "hidden"] as const) {
    expect(grow(2, { checkpoints })).toEqual(contextAt(tree, 2, { checkpoints }))
    expect(JSON.stringify(grow(2, { checkpoints })).includes("Checkpoint")).toBe(checkpoints === "shown")
  }
})
