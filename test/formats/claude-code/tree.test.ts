import { expect, test } from "vitest"
import { objectField } from "../../../src/formats/shared/json-line.ts"
import { NONE } from "../../../src/history/tree/tree.ts"
import { KIND } from "../../../src/model/record/record.ts"
import {
  answer,
  attachment,
  compaction,
  nameOf,
  piece,
  progress,
  prompt,
  read,
  result,
  sent,
  system,
  threeRounds,
  typed,
  use,
  uuid,
} from "./lines.ts"

test("parallel calls, whose results hang each under its own call, are one answer with all its results", () => {
  const history = read([
    prompt("u1", null),
    use("c1", "u1", "m1"),
    use("c2", "c1", "m1"),
    result("r2", "c2", "c2"),
    result("r1", "c1", "c1"),
    answer("a1", "r1"),
  ])
  expect(sent(history)).toBe("u1 call_c1?+call_c2? call_c2=r2+call_c1=r1 a1")
})

test("calls that run while the answer still comes are one answer too", () => {
  const history = read([
    prompt("u1", null),
    piece("t1", "u1", "m1", { type: "text", text: "both" }),
    use("c1", "t1", "m1"),
    result("r1", "c1", "c1"),
    use("c2", "c1", "m1"),
    result("r2", "c2", "c2"),
    answer("a1", "r2"),
  ])
  expect(sent(history)).toBe("u1 both+call_c1?+call_c2? call_c1=r1+call_c2=r2 a1")
})

test("what was written before the prompt it answers is placed under it; without that prompt it appears once another comes", () => {
  const early = [
    answer("a1", "h"),
    system("s", "a1"),
    prompt("u1", null),
    attachment("h", "u1", { type: "skill_listing" }),
  ]
  expect(sent(read([...early, prompt("u2", "s"), answer("a2", "u2")]))).toBe("u1 a1 u2 a2")
  expect(sent(read(early))).toBe("u1 a1")
  expect(sent(read([answer("a1", "gone"), system("s", "a1"), prompt("u2", "s"), answer("a2", "u2")]))).toBe("a1 u2 a2")
})

test("what is attached between the results of one answer leaves no result behind", () => {
  const history = read([
    prompt("u1", null),
    use("c1", "u1", "m1"),
    use("c2", "c1", "m1"),
    result("r2", "c2", "c2"),
    attachment("h", "r2", { type: "hook_additional_context", content: ["note"] }),
    result("r1", "c1", "c1"),
    answer("a1", "r1"),
  ])
  expect(sent(history)).toBe("u1 call_c1?+call_c2? call_c2=r2+call_c1=r1 a1")
})

test("an answer used what its highest piece says, whole, and says so once", () => {
  const used = (...counts: [name: string, output: number][]) => {
    const [first, ...rest] = counts.map(([name, output], at) => {
      const line = use(name, at === 0 ? "u1" : (counts[at - 1]?.[0] ?? ""), "m1")
      const message = { ...objectField(line, "message"), usage: { input_tokens: 10 + at, output_tokens: output } }
      return [{ ...line, message }, result(`r${name}`, name, name)]
    })
    const history = read([prompt("u1", null), ...(first ?? []), ...rest.flat(), answer("a1", "rc1")])
    return Array.from({ length: history.size }, (_, row) => history.record(row)).flatMap((record) =>
      record?.type === "message" && record.usage !== undefined ? [record.usage] : [],
    )
  }
  const next = { input: 10, output: 5 }
  expect(used(["c1", 1], ["c2", 120])).toEqual([{ input: 11, output: 120 }, next])
  expect(used(["c1", 120], ["c2", 1])).toEqual([{ input: 10, output: 120 }, next])
  expect(used(["c1", 1], ["c2", 1], ["c3", 50])).toEqual([{ input: 12, output: 50 }, next])
})

test("a prompt in the middle of an answer hangs where it says", () => {
  const history = read([prompt("u1", null), use("c1", "u1", "m1"), use("c2", "c1", "m1"), prompt("b", "c1")])
  expect(nameOf(history, history.parent(3))).toBe("c1")
})

test("the last line with an id counts", () => {
  const history = read([...threeRounds(), { ...prompt("u2", "a1", "u2 again") }, system("s", "a3")])
  expect(sent(history)).toBe("u1 a1 u2 again a2 u3 a3")
})

test("a file that is there twice is the same conversation", () => {
  expect(sent(read([...threeRounds(), ...threeRounds()]))).toBe("u1 a1 u2 a2 u3 a3")
})

test("a row whose parent is gone follows the one before it", () => {
  expect(sent(read(threeRounds().filter(({ uuid: id }) => id !== uuid("a2"))))).toBe("u1 a1 u2 u3 a3")
})

test("a conversation that starts over in the middle has nothing above it", () => {
  const cut = threeRounds().map((line) => (line.uuid === uuid("u3") ? { ...line, parentUuid: null } : line))
  expect(sent(read(cut))).toBe("u3 a3")
})

test("rows that name each other as parents are all shown", () => {
  expect(sent(read([prompt("x", "y"), answer("y", "x"), prompt("z", "y")]))).toBe("x y z")
})

test("lines of progress are off the path, and what names one is placed under what it belongs to", () => {
  const lines = [
    prompt("u1", null),
    use("c1", "u1", "m1"),
    progress("p1", "c1"),
    progress("p2", "p1"),
    result("r1", "p2", "c1"),
  ]
  expect(sent(read([...lines, answer("a1", "r1")]))).toBe("u1 call_c1? call_c1=r1 a1")
})

test("a sub-agent in the file of its session is off the path: its task is not a prompt", () => {
  const aside = [prompt("t", null, "do it"), answer("d", "t", "done")].map((line) => ({ ...line, isSidechain: true }))
  const history = read([prompt("u1", null), ...aside, answer("a1", "u1")])
  expect(sent(history)).toBe("u1 a1")
  expect(typed(history)).toEqual(["u1"])
  expect(history.record(1)).toMatchObject({ origin: "task" })
})

test("a line of a sub-agent that comes again moves nothing; a line of the conversation goes there", () => {
  const aside = { ...prompt("t", null, "do it"), isSidechain: true }
  const lines = [prompt("u1", null), aside, answer("a1", "u1"), prompt("u2", "a1")]
  expect(sent(read([...lines, aside]))).toBe("u1 a1 u2")
  expect(sent(read([...lines, answer("a1", "u1")]))).toBe("u1 a1")
})

test("a compaction comes after what it summarises, whose prompts stay on the path", () => {
  const history = read([...threeRounds(), ...compaction("a3", ["u3", "a3"]), prompt("u4", "sum")])
  expect(typed(history)).toEqual(["u1", "u2", "u3", "u4"])
  expect(sent(history)).toBe("SUMMARY u3 a3 u4")
  expect(history.record(7)).toMatchObject({
    type: "compaction",
    cause: "threshold",
    tokens: { before: 100, after: 10 },
  })
})

test("an error of the provider, which the program shows and never sends, is no message", () => {
  const error = answer("e", "u1", "API Error: 500")
  const shown = { ...error, message: { ...(error.message as object), model: "<synthetic>" }, isApiErrorMessage: true }
  const history = read([prompt("u1", null), shown, prompt("u2", "e")])
  expect(history.kind(1)).toBe(KIND.unknownEntry)
  expect(sent(history)).toBe("u1 u2")
})

test("names that are no UUIDs are read as well", () => {
  const lines = [
    { ...prompt("u1", null), uuid: "../../etc" },
    { ...answer("a1", "u1"), parentUuid: "../../etc", uuid: "no" },
  ]
  const history = read(lines)
  expect(sent(history)).toBe("u1 a1")
  expect(history.parent(0)).toBe(NONE)
})
