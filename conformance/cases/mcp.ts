// The program starts `retcon mcp` as its settings say, and its model uses the tools.
import type { Case } from "./case.ts"
import { id } from "./conversation.ts"

const NOTE = "The tests need port 8080."
const MARK = "before the work"

export const mcpTools: Case = {
  name: "mcp",
  means:
    "after `retcon mcp install` the program starts the server, and its model sets a checkpoint and leaves a note, which `retcon notes` shows and the program's next session receives",
  cannot: ({ mcp, noMcp }) => (mcp === undefined ? noMcp : undefined),
  async differs(stage) {
    const { mcp } = stage.program
    if (mcp === undefined) return undefined
    stage.clear()
    await stage.ask("Hello.")
    await stage.retcon("mcp", "install", mcp.agent, "--yes")
    const called = (tool: string, input: object) => id({ ...mcp.tool(tool), input: { ...input } })
    await stage.ask("Remember this place.", [
      { calls: [called("checkpoint", { name: MARK })] },
      { calls: [called("note", { text: NOTE })] },
      { text: "It is done." },
    ])
    const results = (await stage.context()).filter(({ by }) => by === "result").map(({ text }) => text)
    const labels = await stage.retcon("log", "-s", (await stage.session())?.file ?? "")
    if (!labels.includes(MARK)) return `there is no checkpoint: ${results.join(" / ")}`
    const left = JSON.parse(await stage.retcon("notes", "--json")) as { text: string; by?: string }[]
    if (left[0]?.text !== NOTE || left[0]?.by !== stage.program.agent) return `there is no note: ${results.join(" / ")}`
    await stage.ask("Another session.", undefined, NEW)
    const [got] = JSON.parse(await stage.retcon("notes", "--json")) as { delivered?: { to?: string } }[]
    return got?.delivered?.to === stage.program.agent ? undefined : "the next session did not get the note"
  },
}

/** The command for a new session: only the name of the program. */
const NEW: readonly string[] = [""]
