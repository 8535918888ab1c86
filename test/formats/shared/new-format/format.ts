// A format as someone would add it: of an agent that writes a header, and then a line for each message.
import { join } from "node:path"
import { filesIn } from "../../../../src/formats/shared/folder-contents.ts"
import { textField } from "../../../../src/formats/shared/json-line.ts"
import { lineFormat } from "../../../../src/formats/shared/line-format.ts"
import type { Part } from "../../../../src/model/record/record.ts"

export const newAgent = lineFormat({
  agent: "new-agent",
  fields: { at: "time", id: "id", parent: "after" },

  find: ({ home }) => filesIn(join(home, ".new-agent", "sessions"), ".jsonl"),

  session(first) {
    const name = textField(first, "session")
    return name === undefined ? undefined : { name, cwd: textField(first, "folder") }
  },

  classify(line) {
    const [type = "", text = ""] = [textField(line, "type"), textField(line, "text")]
    const content: Part[] = [{ type: "text", text }]
    const why = `type is "${type}"`
    switch (type) {
      case "user":
        return { role: "user", origin: "prompt", why, content }
      case "agent":
        return { role: "assistant", origin: "agent", why, content }
      case "output": {
        const call = textField(line, "call") ?? ""
        return { role: "tool", origin: "tool", why, content: [{ type: "tool-result", call, output: text }] }
      }
      default:
        return undefined
    }
  },

  resume: (name) => ["new-agent", "--continue", name],
})
