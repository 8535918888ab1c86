// Todo: the list is state that follows the path; the runner records it.
import { z } from "zod"
import { TODOS_KEY } from "../../model/record/state-key.ts"
import { toolText } from "../port/tool.ts"
import { defineTool } from "./define-tool.ts"

const schema = z.object({
  todos: z
    .array(z.object({ text: z.string().min(1), status: z.enum(["pending", "doing", "done"]) }))
    .max(200)
    .describe("The whole list"),
})

export const todoTool = defineTool({
  name: "Todo",
  description: toolText(import.meta.url, "todo"),
  schema,
  effect: "reads",
  run: async ({ todos }) => {
    const open = todos.filter((todo) => todo.status !== "done").length
    return { output: `Noted: ${todos.length} todos, ${open} open.`, state: { [TODOS_KEY]: todos } }
  },
})
