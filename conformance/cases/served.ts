// A conversation continued in the page is in the program's own session, and the program follows Back in the page.
import type { Case } from "./case.ts"
import { converse } from "./conversation.ts"

export const served: Case = {
  name: "page",
  means:
    "`retcon serve` sends a prompt to the program itself, in its own session; after Back the next prompt continues from there, as retcon shows it",
  cannot: ({ agent }) =>
    agent === "claude-code"
      ? undefined
      : "the page continues its sessions in copies; only Claude Code's program answers there",
  async differs(stage) {
    await converse(stage)
    return stage.served(async (ask) => {
      const { sessions } = (await ask(`sessions?agent=${stage.program.agent}`)) as { sessions: { id: string }[] }
      const session = `sessions/${sessions[0]?.id}`
      await ask(`${session}/converse`, { text: "Said in the page.", wait: true })
      await ask(`${session}/back`, { rounds: 2, evenIfRunning: true })
      const shown = await stage.context()
      const since = stage.model.count
      const next = "Another way, in the page."
      await ask(`${session}/converse`, { text: next, wait: true })
      const sent = stage.model.asked(next, since)
      if (sent === undefined) return "the prompt did not reach the model"
      return stage.difference(sent, [...shown, { by: "user", text: next }])
    })
  },
}
