import { randomUUID } from "node:crypto"
import { claudeProgram } from "../../src/programs/claude-code/program.ts"
import { temporaryFolder } from "../formats/read-session.ts"
import { programContract } from "./contract.ts"
import { fakeClaude } from "./fake-claude.ts"

programContract("the contract of a program, by Claude Code in its two-way mode", {
  program(start = "as usual") {
    const started = START[start] ?? ""
    const program = fakeClaude(temporaryFolder(), AS_TOLD, { start: started })
    return claudeProgram({ newId: randomUUID, program, env: { PATH: process.env.PATH } })
  },
})

const START: Record<string, string> = {
  dies: "process.exit(3)",
  "not logged in": `process.stderr.write("Not logged in. Please run /login"); process.exit(1)`,
  "stays when asked to end": `process.on("SIGTERM", () => {}); process.exit = () => {}; setInterval(() => {}, 1000)`,
}

const AS_TOLD = `
if (prompt === "silent") return
if (prompt === "deaf") { process.env.DEAF = "1"; process.exit = () => {}; process.on("SIGTERM", () => {}); return setInterval(() => {}, 1000) }
if (prompt === "dies") process.exit(3)
if (prompt === "huge") { const more = "x".repeat(1 << 20); for (let i = 0; i < 65; i++) process.stdout.write(more); return }
const suggestions = [{ type: "addRules", rules: [{ toolName: "Bash", ruleContent: "touch x" }], behavior: "allow", destination: "session" }]
if (prompt.startsWith("ask")) {
  const asking = ask("Bash", { command: "touch x" }, { tool_use_id: "c1", permission_suggestions: suggestions })
  if (prompt === "asks then dies") setTimeout(() => process.exit(3), 20)
  const { behavior, updatedPermissions = [] } = await asking
  text(behavior === "deny" ? "refused" : updatedPermissions.length > 0 ? "always" : "allowed")
}
if (prompt === "odd") {
  process.stdout.write("not JSON\\n\\n[]\\n")
  say({ type: "new kind", of: "message" })
  const answered = await ask("", {}, { subtype: "elicitation" })
  text("odd: " + (answered.subtype === "error" ? "refused" : JSON.stringify(answered)))
}
if (prompt === "child") text(String(require("node:child_process").spawn("sleep", ["600"], { stdio: "ignore" }).pid))
if (prompt.startsWith("say ")) text(prompt.slice(4))
end()`
