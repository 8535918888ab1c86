// A model whose reasoning is bound to everything that stood before it, as current vendors sign theirs: a request in which
// something before a piece of reasoning has changed is refused, and so is reasoning of another model.
import { createHash } from "node:crypto"
import type { Part } from "../../src/model/record/record.ts"
import type { Model, ModelEvent, ModelMessage, StepRequest } from "../../src/provider/port/port.ts"
import { type Script, type ScriptedAnswer, type ScriptedModel, scriptedModel } from "../test-host.ts"

export interface BindingModel extends ScriptedModel {
  /** What was refused, in words; empty when all went well. */
  readonly refused: string[]
}

export function bindingModel(script: Script | ScriptedAnswer[], more: Partial<Model> = {}): BindingModel {
  const inner = scriptedModel(script, more)
  const refused: string[] = []
  const { id } = inner
  return {
    ...inner,
    refused,
    async *step(request): AsyncGenerator<ModelEvent> {
      const broken = brokenBinding(request, id)
      if (broken !== undefined) {
        refused.push(broken)
        yield { type: "failed", problem: { kind: "invalid", message: broken, status: 400 } }
        return
      }
      const own: Part = { type: "reasoning", text: "Hm.", meta: { by: id, data: signature(request, id) } }
      for await (const event of inner.step(request)) {
        yield event.type === "finish" ? { ...event, content: [own, ...event.content] } : event
      }
    },
  }
}

function brokenBinding(request: StepRequest, id: string): string | undefined {
  for (const [i, message] of request.messages.entries()) {
    const [first] = message.content
    if (message.role !== "assistant" || first?.type !== "reasoning") continue
    const expected = signature({ ...request, messages: request.messages.slice(0, i) }, id)
    if (JSON.stringify(first.meta?.data) !== JSON.stringify(expected)) {
      return `message ${i}: its reasoning is bound to another beginning`
    }
  }
  return undefined
}

function signature({ messages, tools }: Pick<StepRequest, "messages" | "tools">, id: string) {
  const beginning = JSON.stringify([id, tools, joined(messages)])
  return { signature: createHash("sha256").update(beginning).digest("hex") }
}

/** As vendors see them: neighbours of one side are one message. */
function joined(messages: readonly ModelMessage[]): [string, unknown[]][] {
  const sides: [string, unknown[]][] = []
  for (const { role, content } of messages) {
    const side = role === "tool" ? "user" : role
    const last = sides.at(-1)
    if (last !== undefined && last[0] === side) last[1].push(...content)
    else sides.push([side, [...content]])
  }
  return sides
}
