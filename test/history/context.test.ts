import { describe, expect, test } from "vitest"
import { type ContextOptions, contextAt } from "../../src/history/context/context.ts"
import type { ContextMessage } from "../../src/history/context/message.ts"
import { INTERRUPTED } from "../../src/history/context/tool-calls.ts"
import type { Part } from "../../src/model/record/record.ts"
import { type Body, calls, message, type Picture, picture, results } from "./picture.ts"

/** One line per message: role, then its parts. */
function show(messages: readonly ContextMessage[]): string[] {
  return messages.map(({ role, content }) => `${role}: ${content.map(part).join(" | ")}`)
}

function part(shown: Part): string {
  switch (shown.type) {
    case "text":
      return shown.text
    case "tool-call":
      return `call ${shown.call}`
    case "tool-result":
      return `result ${shown.call}${shown.output === INTERRUPTED ? " interrupted" : ""}`
    case "image":
    case "file":
    case "reasoning":
    case "unknown":
      return shown.type
  }
}

function context(tree: Picture, options: ContextOptions = {}): string[] {
  return show(contextAt(tree, tree.head, options))
}

const compaction = (fields: Partial<Record<string, unknown>> = {}): Body => ({
  type: "compaction",
  summary: "what was",
  prompts: [],
  keepFrom: null,
  cause: "person",
  ...fields,
})
const COMPACTED = "<system>Previous context has been compacted. Here is the compaction output:</system>"

test("the messages of the path, in order, and of no other branch", () => {
  expect(context(picture("p1 > a1 > p2 > a2; a1 > p3"))).toEqual(["user: p1", "assistant: a1", "user: p3"])
  expect(context(picture(""))).toEqual([])
})

test("state, unknown entries and labels are no messages", () => {
  const tree = picture("p1 > s1 > x1 > a1")
  tree.add({ id: tree.nextId(), type: "label", at: "", entry: tree.idOf("a1"), name: "x" })
  tree.add({ id: tree.nextId(), type: "config", at: "", key: "title", value: "x" })
  expect(context(tree)).toEqual(["user: p1", "assistant: a1"])
})

describe("the system prompt", () => {
  const system = (text: string): Body => ({ type: "state", key: "system", value: text })

  test("comes first, also when it was set later", () => {
    const tree = picture("p1 > a1 > s1 > p2", { s1: system("Be kind.") })
    expect(context(tree)).toEqual(["system: Be kind.", "user: p1", "assistant: a1", "user: p2"])
  })

  test("is the last one of the path, so going back brings the former one again", () => {
    const tree = picture("s1 > p1 > a1 > s2 > p2", { s1: system("one"), s2: system("two") })
    expect(show(contextAt(tree, tree.row("p2")))[0]).toBe("system: two")
    expect(show(contextAt(tree, tree.row("a1")))[0]).toBe("system: one")
  })

  test("stays through a compaction and a backtrack", () => {
    const tree = picture("s1 > p1 > c0 > n1 > z1 > p2", { s1: system("one") })
    expect(context(tree)[0]).toBe("system: one")
  })
})

describe("checkpoints", () => {
  test("are shown on the message before them only when asked for", () => {
    const tree = picture("p1 > c0 > a1 > t1 > c1 > a2", { a1: calls("x"), t1: results("x") })
    expect(context(tree)).toEqual(["user: p1", "assistant: call x", "tool: result x", "assistant: a2"])
    expect(context(tree, { checkpoints: "shown" })).toEqual([
      "user: p1 | <system>Checkpoint 0</system>",
      "assistant: call x",
      "tool: result x | <system>Checkpoint 1</system>",
      "assistant: a2",
    ])
  })

  test("are separate messages if no user or tool message precedes them", () => {
    const tree = picture("c0 > p1 > a1 > c1")
    expect(context(tree, { checkpoints: "shown" })).toEqual([
      "user: <system>Checkpoint 0</system>",
      "user: p1",
      "assistant: a1",
      "user: <system>Checkpoint 1</system>",
    ])
  })
})

describe("a note", () => {
  test("is attached to the message before it, with what is still true", () => {
    const note: Body = {
      type: "note",
      text: "Use the parser.",
      facts: ["a.ts is changed", "b.ts is new"],
      checkpoint: 0,
      left: null,
      discards: 3,
    }
    const tree = picture("p1 > c0 > a1; c0 > n1 > a2", { n1: note })
    expect(context(tree, { checkpoints: "shown" })).toEqual([
      "user: p1 | <system>Checkpoint 0</system> | <system>You went back to this point. Note from your future self, in your own words: neither the user nor retcon wrote it.</system>\n<note>\nUse the parser.\n</note> | <system>Still true, from retcon's own records:\n- a.ts is changed\n- b.ts is new</system>",
      "assistant: a2",
    ])
  })

  test("of a person says that it is a summary", () => {
    const note: Body = { type: "note", text: "We tried B.", facts: [], left: null, discards: 3 }
    const tree = picture("p1 > a1; a1 > n1", { n1: note })
    expect(context(tree)).toEqual([
      "user: p1",
      "assistant: a1",
      "user: <system>Another way was taken from here. Summary of what was left, as the model wrote it.</system>\n<note>\nWe tried B.\n</note>",
    ])
  })

  test("leaves the record it is attached to as it was", () => {
    const tree = picture("p1 > n1 > n2")
    context(tree)
    context(tree)
    expect(tree.records[0]).toMatchObject({ content: [{ type: "text", text: "p1" }] })
  })
})

describe("a compaction", () => {
  test("takes the place of what comes before it", () => {
    const tree = picture("p1 > a1 > z1 > p2", { z1: compaction() })
    expect(context(tree)).toEqual([`user: ${COMPACTED} | what was`, "user: p2"])
  })

  test("keeps prompts word for word, and a tail", () => {
    const tree = picture("p1 > a1 > p2 > a2")
    const fields = { prompts: ["p1"], keepFrom: tree.idOf("p2") }
    const after = picture("p1 > a1 > p2 > a2 > z1 > p3", { z1: compaction(fields) })
    expect(context(after)).toEqual([
      `user: ${COMPACTED} | what was | <system>What the user asked before, word for word, oldest first:</system> | p1`,
      "user: p2",
      "assistant: a2",
      "user: p3",
    ])
  })

  test("hides the checkpoints of the tail it keeps, and shows those after it", () => {
    const keepFrom = picture("p1").idOf("p1")
    const tree = picture("p1 > c0 > a1 > z1 > p2 > c1", { z1: compaction({ keepFrom }) })
    expect(context(tree, { checkpoints: "shown" })).toEqual([
      `user: ${COMPACTED} | what was`,
      "user: p1",
      "assistant: a1",
      "user: p2 | <system>Checkpoint 1</system>",
    ])
  })

  test("keeps the notes of its tail", () => {
    const keepFrom = picture("p1").idOf("p1")
    const tree = picture("p1 > n1 > z1", { z1: compaction({ keepFrom }) })
    expect(context(tree)[1]).toBe(
      "user: p1 | <system>You went back to this point. Note from your future self, in your own words: neither the user nor retcon wrote it.</system>\n<note>\nn1\n</note>",
    )
  })

  test("only the last one of the path counts, and nothing compacted comes back", () => {
    const tree = picture("p1 > a1 > z1 > p2 > a2 > z2 > p3", { z2: compaction({ summary: "both" }) })
    expect(context(tree)).toEqual([`user: ${COMPACTED} | both`, "user: p3"])
  })

  test("is not seen from before it: going back to before it brings everything back", () => {
    const tree = picture("p1 > a1 > p2 > z1 > a2")
    expect(show(contextAt(tree, tree.row("p2")))).toEqual(["user: p1", "assistant: a1", "user: p2"])
  })

  test.each([
    ["is not in the log", "01890a5d-ac96-7000-8000-ffffffffffff"],
    ["is on another branch", picture("p1 > a1; p1 > b1").idOf("a1")],
    ["is the compaction itself", picture("p1 > a1 > b1 > z1").idOf("z1")],
  ])("whose tail %s keeps none", (_, keepFrom) => {
    const tree = picture("p1 > a1; p1 > b1 > z1 > p2", { z1: compaction({ keepFrom }) })
    expect(context(tree)).toEqual([`user: ${COMPACTED} | what was`, "user: p2"])
  })

  test("of an old session whose tail begins with a result still gives a context that a provider takes", () => {
    const keepFrom = picture("p1 > a1 > t1").idOf("t1")
    const bodies = { a1: calls("x"), t1: results("x"), z1: compaction({ keepFrom }) }
    expect(context(picture("p1 > a1 > t1 > a2 > z1", bodies))).toEqual([
      `user: ${COMPACTED} | what was`,
      "assistant: a2",
    ])
    const noted = context(picture("p1 > a1 > t1 > n1 > a2 > z1", bodies))
    expect(noted[1]).toBe(
      "user: <system>You went back to this point. Note from your future self, in your own words: neither the user nor retcon wrote it.</system>\n<note>\nn1\n</note>",
    )
  })
})

describe("every tool call has a result, and every result a call", () => {
  test("an open call gets one synthetic result", () => {
    const tree = picture("p1 > a1", { a1: calls("x") })
    expect(context(tree)).toEqual(["user: p1", "assistant: call x", "tool: result x interrupted"])
  })

  test("several open calls are settled as one message, and finished ones keep their result", () => {
    const tree = picture("p1 > a1 > t1 > p2", { a1: calls("x", "y", "z"), t1: results("y") })
    expect(context(tree)).toEqual([
      "user: p1",
      "assistant: call x | call y | call z",
      "tool: result y",
      "tool: result x interrupted | result z interrupted",
      "user: p2",
    ])
  })

  test("results may come in several messages", () => {
    const tree = picture("p1 > a1 > t1 > t2 > a2", { a1: calls("x", "y"), t1: results("x"), t2: results("y") })
    expect(context(tree)).toHaveLength(5)
    expect(context(tree).join()).not.toContain("interrupted")
  })

  test("a result without a call is left out", () => {
    const tree = picture("p1 > t1 > a1 > t2 > p2", { a1: calls("x"), t1: results("w"), t2: results("x", "v") })
    expect(context(tree)).toEqual(["user: p1", "assistant: call x", "tool: result x", "user: p2"])
  })

  test("a late result, after the call was settled, is left out", () => {
    const tree = picture("p1 > a1 > p2 > t1", { a1: calls("x"), t1: results("x") })
    expect(context(tree)).toEqual(["user: p1", "assistant: call x", "tool: result x interrupted", "user: p2"])
  })

  test("a second result of one call is left out", () => {
    const twice = picture("p1 > a1 > t1 > t2", { a1: calls("x"), t1: results("x"), t2: results("x") })
    expect(context(twice)).toEqual(["user: p1", "assistant: call x", "tool: result x"])
    const atOnce = picture("p1 > a1 > t1", { a1: calls("x"), t1: results("x", "x") })
    expect(context(atOnce)).toEqual(["user: p1", "assistant: call x", "tool: result x"])
  })

  test("a marker on a message whose results were left out stays, as words to the model", () => {
    const tree = picture("p1 > a1 > t1 > c0", { t1: results("w") })
    expect(context(tree, { checkpoints: "shown" })).toEqual([
      "user: p1",
      "assistant: a1",
      "user: <system>Checkpoint 0</system>",
    ])
  })
})

test("reminders and other messages that are no prompts are sent as they are", () => {
  const tree = picture("p1 > u1 > a1", { u1: message("user", "notification", "done") })
  expect(context(tree)).toEqual(["user: p1", "user: done", "assistant: a1"])
})

describe("reasoning, and what else a provider binds to what preceded it", () => {
  const thought = (name: string): Body => ({
    type: "message",
    role: "assistant",
    origin: "agent",
    content: [
      { type: "reasoning", text: "hm", meta: { by: "x", data: { signature: "s" } } },
      { type: "text", text: name, meta: { by: "x", data: { itemId: "i" } } },
    ],
  })
  const system = (text = "Be kind."): Body => ({ type: "state", key: "system", value: text })
  const bodies = { a1: thought("a1"), a2: thought("a2"), a3: thought("a3") }
  const bound = (tree: Picture) =>
    contextAt(tree, tree.head).flatMap(({ role, content }) =>
      role === "assistant" ? [content.map(({ type, ...rest }) => ("meta" in rest ? `${type}!` : type)).join(" ")] : [],
    )

  test("is sent with what came after the last compaction, and not with the tail that it kept", () => {
    const keepFrom = picture("p1 > a1 > p2 > a2").idOf("p2")
    const tree = picture("p1 > a1 > p2 > a2 > z1 > p3 > a3", { ...bodies, z1: compaction({ keepFrom }) })
    expect(context(tree)).toEqual([
      `user: ${COMPACTED} | what was`,
      "user: p2",
      "assistant: a2",
      ...context(tree).slice(3),
    ])
    expect(bound(tree)).toEqual(["text", "reasoning! text!"])
  })

  test("is not sent from before the system prompt was set again, even to the same text", () => {
    const tree = picture("s1 > p1 > a1 > s2 > p2 > a2", { ...bodies, s1: system(), s2: system() })
    expect(bound(tree)).toEqual(["text", "reasoning! text!"])
    expect(bound(picture("s1 > p1 > a1 > p2 > a2", { ...bodies, s1: system() }))).toHaveLength(2)
  })

  test("an answer that was nothing else is left out", () => {
    const only = {
      ...thought("a1"),
      content: [
        { type: "reasoning", text: "hm" },
        { type: "text", text: "", meta: {} },
      ],
    }
    const tree = picture("p1 > a1 > s1 > p2", { a1: only, s1: system() })
    expect(context(tree)).toEqual(["system: Be kind.", "user: p1", "user: p2"])
  })
})

test("checkpoints are shown as the path says, unless the caller says otherwise", () => {
  const offered = {
    type: "state",
    key: "system",
    value: "",
    with: { model: "x/y", tools: [], checkpoints: true },
  } as const
  const tree = picture("s1 > p1 > c1 > a1", { s1: offered })
  const shown = (options?: ContextOptions) => context(tree, options).join().includes("Checkpoint 1")
  expect([shown(), shown({ checkpoints: "hidden" })]).toEqual([true, false])
  expect(context(picture("p1 > c1 > a1")).join()).not.toContain("Checkpoint")
})

describe("an answer that another agent wrote in pieces", () => {
  const piece = (answer: string, body: Body): Body => ({ ...body, answer })

  test("is one message, and the results of its calls are one, however they are mixed", () => {
    const bodies = {
      a1: piece("m", message("assistant", "agent", "thinking")),
      a2: piece("m", calls("x")),
      t1: results("x"),
      a3: piece("m", calls("y")),
      t2: results("y"),
      a4: piece("n", message("assistant", "agent", "done")),
    }
    const tree = picture("p1 > a1 > a2 > t1 > a3 > t2 > a4 > p2", bodies)
    expect(context(tree)).toEqual([
      "user: p1",
      "assistant: thinking | call x | call y",
      "tool: result x | result y",
      "assistant: done",
      "user: p2",
    ])
    expect(show(contextAt(tree, tree.rowOf(tree.idOf("t1"))))).toEqual([
      "user: p1",
      "assistant: thinking | call x",
      "tool: result x",
    ])
  })

  test("what was said between two of its results follows them, and no result is lost", () => {
    const bodies = {
      a1: piece("one", calls("c1", "c2")),
      t1: results("c1"),
      p2: message("user", "hook", "a hook said so"),
      t2: results("c2"),
    }
    const tree = picture("p1 > a1 > t1 > p2 > t2 > a2", bodies)
    const asked = ["user: p1", "assistant: call c1 | call c2"]
    expect(context(tree)).toEqual([...asked, "tool: result c1 | result c2", "user: a hook said so", "assistant: a2"])
    const cut = picture("p1 > a1 > t1 > p2 > a2", bodies)
    const open = ["tool: result c1", "tool: result c2 interrupted", "user: a hook said so", "assistant: a2"]
    expect(context(cut)).toEqual([...asked, ...open])
  })

  test("ends where another answer begins", () => {
    const bodies = { a1: piece("m", calls("x")), t1: results("x"), a2: piece("n", calls("y")) }
    expect(context(picture("p1 > a1 > t1 > a2", bodies))).toEqual([
      "user: p1",
      "assistant: call x",
      "tool: result x",
      "assistant: call y",
      "tool: result y interrupted",
    ])
  })
})

test("a compaction of another agent is shown in that agent's own words", () => {
  const as = [{ role: "user", content: [{ type: "text", text: "This session is being continued." }] }]
  const tree = picture("p1 > a1 > z1 > p2", { z1: compaction({ as }) })
  expect(context(tree)).toEqual(["user: This session is being continued.", "user: p2"])
})
