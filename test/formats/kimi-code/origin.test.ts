// Who put a message into a session of Kimi Code, by its own fields or by ours; and what the person typed.
import { expect, test } from "vitest"
import { authorOf, saidOn, typedText } from "../../../src/formats/kimi-code/origin.ts"
import type { JsonObject } from "../../../src/model/json.ts"

const user = (origin?: JsonObject): JsonObject => ({ role: "user", ...(origin && { origin }) })
const words = (said: ReturnType<typeof authorOf>) =>
  said && `${said.role} ${said.origin}${said.turn === true ? " turn" : ""}`

test.each<[message: JsonObject, said: string | undefined]>([
  [user(), "user prompt"],
  [user({ kind: "user" }), "user prompt"],
  [user({ kind: "user", inTurn: true }), "user steer"],
  [user({ kind: "skill_activation", trigger: "user-slash" }), "user command turn"],
  [user({ kind: "plugin_command", trigger: "user-slash" }), "user command turn"],
  [user({ kind: "plugin_command", trigger: "user-slash", inTurn: true }), "user steer"],
  [user({ kind: "skill_activation" }), "user skill"],
  [user({ kind: "plugin_command" }), "user injection"],
  [user({ kind: "injection", trigger: "user-slash" }), "user injection"],
  [user({ kind: "system_trigger", name: "subagent" }), "user task"],
  [user({ kind: "system_trigger", name: "stop_hook" }), "user hook"],
  [user({ kind: "system_trigger" }), "user injection"],
  [user({ kind: "shell_command" }), "user shell"],
  [user({ kind: "cron_job" }), "user notification"],
  [user({ kind: "new" }), "user unknown"],
  [user({}), "user unknown"],
  [{ role: "assistant" }, "assistant agent"],
  [{ role: "tool" }, "tool tool"],
  [{ role: "system" }, "system injection"],
  [{ role: "new" }, undefined],
  [{}, undefined],
])("%j", (message, said) => {
  expect(words(authorOf(message))).toBe(said)
  expect(words(saidOn({ message }))).toBe(said)
})

test("what retcon adds to a user's message counts, but nothing that makes no sense", () => {
  const on = (retcon: JsonObject, message = user()) => words(saidOn({ message, retcon }))
  expect(on({ origin: "hook" })).toBe("user hook")
  expect(on({ origin: "command", turn: true })).toBe("user command turn")
  expect(on({ origin: "nonsense" })).toBe("user prompt")
  expect(on({ origin: "hook" }, { role: "assistant" })).toBe("assistant agent")
})

test.each<[what: string, line: JsonObject, typed: string | undefined]>([
  ["a prompt", { message: user({ kind: "user" }) }, undefined],
  ["nothing said of it", { message: user() }, undefined],
  ["what retcon wrote", { message: user(), retcon: { display: "shown" } }, "shown"],
  ["a prompt with skills before it", { message: user({ kind: "user", skillActivations: [{}] }) }, "bc"],
  ["a prompt without any", { message: user({ kind: "user", skillActivations: [] }) }, undefined],
  ["a skill", { message: user({ kind: "skill_activation", trigger: "user-slash", skillName: "fix" }) }, "/fix"],
  [
    "a skill with words",
    { message: user({ kind: "skill_activation", trigger: "user-slash", skillName: "fix", skillArgs: "it" }) },
    "/fix it",
  ],
  ["a skill that nobody typed", { message: user({ kind: "skill_activation", skillName: "fix" }) }, undefined],
  [
    "a command of a plugin",
    {
      message: user({
        kind: "plugin_command",
        trigger: "user-slash",
        pluginId: "p",
        commandName: "c",
        commandArgs: "",
      }),
    },
    "/p:c",
  ],
  ["something else that was typed", { message: user({ kind: "new", trigger: "user-slash" }) }, undefined],
  ["no message", {}, undefined],
])("typed: %s", (_, line, typed) => {
  expect(typedText(line, ["a", "b", "c"])).toBe(typed)
})
