// Slash commands about what the agent may do without asking.
import type { PermissionMode } from "../../model/permission-mode.ts"
import { pieces } from "../../model/text/visible.ts"
import { MODE_WORDS, parseMode } from "../words/mode-words.ts"
import { obeyAllow } from "../words/slash-allow.ts"
import { type Command, invalid } from "./command.ts"
import type { Notices } from "./notices.ts"
import type { ShownSession } from "./shown-session.ts"

export const PERMISSION_COMMANDS: readonly Command[] = [
  {
    name: "mode",
    hint: "[default|autoEdit|yolo]",
    about: "what the agent may do without asking",
    async run(app, name) {
      const mode = name === "" ? undefined : parseMode(name)
      if (name !== "" && mode === undefined) {
        throw invalid(`There is no mode "${name}".`, "Modes: default, autoEdit, yolo")
      }
      if (mode === undefined)
        return app.say("info", `Mode ${app.view.status().mode}: ${MODE_WORDS[app.view.status().mode]}.`)
      await setMode(app, mode)
    },
  },
  {
    name: "allow",
    hint: "[RULE|revoke N]",
    about: "show what is allowed; allow a rule, or revoke one",
    async run(app, argument) {
      if (argument !== "") await app.keep()
      const lines = await obeyAllow(app.session, argument)
      app.print((width) =>
        lines.flatMap((line) => pieces(line, width - 6).map((piece, i) => `${i === 0 ? "  " : "      "}${piece}`)),
      )
    },
  },
]

export async function setMode(app: Notices & ShownSession, mode: PermissionMode): Promise<void> {
  await app.keep()
  await app.session.setMode(mode)
  app.view.changed()
  app.say("info", `Mode ${mode}: ${MODE_WORDS[mode]}.`)
}
