import { describe, expect, test } from "vitest"
import type { Model, ModelEvent } from "../../src/provider/port/port.ts"
import { practiceModel } from "../../src/provider/practice/practice.ts"
import { makeStage } from "./stage.ts"

/** The practice model, until `hold` is set: then it says nothing until it is stopped. */
function holdingModel(): { model: Model; hold: () => void } {
  const practice = practiceModel()
  let holds = false
  const model: Model = {
    ...practice,
    async *step(request): AsyncGenerator<ModelEvent> {
      if (!holds) return yield* practice.step(request)
      await new Promise<void>((settle) => request.signal.addEventListener("abort", () => settle()))
      yield { type: "failed", problem: { kind: "aborted", message: "Stopped." } }
    },
  }
  return { model, hold: () => (holds = true) }
}

const LONG = Array.from({ length: 400 }, (_, n) => `word${n}`).join(" ")

describe("/compact", () => {
  test("a rule says that it was done, also after the session is resumed", async () => {
    const stage = await makeStage({ rows: 40 })
    for (const n of [1, 2, 3, 4]) {
      stage.enter(`say ${n} ${LONG}`)
      await stage.idle(n)
    }
    stage.enter("/compact the parser")
    await stage.sees(/─── Compacted \d+ messages ─+\nctrl\+o shows the summary\. Undo with \/undo\n/)
    stage.press("ctrl+o")
    await stage.sees(/Details · Summary.*\n─+\n## Goal/)
    stage.press("escape")
    await stage.sees("shows the summary")
    stage.press("ctrl+d")
    await stage.ended
    const again = await makeStage({ rows: 40, with: stage.host, parts: { start: { kind: "continue" } } })
    await again.sees(/─── Compacted ─+\nctrl\+o shows the summary\. Undo with \/undo\n/)
  })

  test("Esc stops it, and the conversation stays as it is", async () => {
    const { model, hold } = holdingModel()
    const stage = await makeStage({ rows: 40, host: { model: async () => model } })
    for (const n of [1, 2, 3, 4]) {
      stage.enter(`say ${n} ${LONG}`)
      await stage.idle(n)
    }
    hold()
    stage.enter("/compact")
    await stage.sees("Compacting the conversation")
    stage.press("escape")
    await stage.sees("not compacted")
    await stage.sees(/─\n❯ Ask[^\n]*\n─+\n round 4/)
    expect(stage.text()).not.toContain("─── Compacted")
  })
})

test("an answer that is cut off and tried again is on the screen once", async () => {
  const practice = practiceModel()
  const model: Model = {
    ...practice,
    async *step(request): AsyncGenerator<ModelEvent> {
      for (const attempt of [1, 2]) {
        yield { type: "reasoning-start" }
        yield { type: "reasoning-delta", text: "half a thought" }
        yield { type: "reasoning-end" }
        yield { type: "text-start" }
        yield { type: "text-delta", text: `A whole paragraph ${attempt}.\n\nHalf of ${attempt} ` }
        await stage.sees(`Half of ${attempt}`)
        yield { type: "text-end" }
        yield { type: "retry", attempt, waitMs: 2000, problem: "The answer of vllm was cut off." }
      }
      yield* practice.step(request)
    },
  }
  const stage = await makeStage({ host: { model: async () => model } })
  stage.enter("say hello")
  await stage.idle(1)
  await stage.sees(/cut off\. Trying again in 2 s\..*The same problem again\. Trying again in 2 s\..*hello/s)
  expect(stage.all().join("\n")).not.toContain("Half of")
  // What is in the scrollback already can only be marked.
  for (const n of [1, 2]) await stage.until(() => stage.styleOf(`A whole paragraph ${n}.`)?.dim === true)
  expect(stage.styleOf("hello")).toMatchObject({ dim: false })
})

test("a step that is tried again says so", async () => {
  const practice = practiceModel()
  const model: Model = {
    ...practice,
    async *step(request): AsyncGenerator<ModelEvent> {
      yield { type: "retry", attempt: 1, waitMs: 2000, problem: "The provider is overloaded." }
      yield { type: "retry", attempt: 2, waitMs: 2000, problem: "vllm answered 502: Bad Gateway" }
      yield* practice.step(request)
    },
  }
  const stage = await makeStage({ host: { model: async () => model } })
  stage.enter("say hello")
  await stage.idle(1)
  await stage.sees("! The provider is overloaded. Trying again in 2 s.")
  await stage.sees("! vllm answered 502: Bad Gateway. Trying again in 2 s.")
})

describe("the question of an approval", () => {
  test.each([60, 80, 120])("shows all its keys at %i columns", async (columns) => {
    const stage = await makeStage({ columns, rows: 30, host: { mode: "default" } })
    stage.enter('run "rm -rf build"')
    await stage.sees("$ rm -rf build")
    await stage.sees(/y once · a .*session · n no · r no, .* · esc stop\n/)
  })
})

test("what to do when a turn failed is said as commands of the terminal", async () => {
  const model: Model = {
    ...practiceModel(),
    async *step(): AsyncGenerator<ModelEvent> {
      yield { type: "failed", problem: { kind: "auth", message: "vllm answered 401: no such key" } }
    },
  }
  const stage = await makeStage({ host: { model: async () => model } })
  stage.enter("say hello")
  await stage.sees("✗ vllm answered 401")
  await stage.sees("or choose another model with /model.")
})
