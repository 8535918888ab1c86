// Claude Code in a terminal.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Command, Place, TypedProgram } from "./program.ts"

export function typed(command: (place: Place, args: string[]) => Command): TypedProgram {
  return {
    setUp({ home, work }) {
      mkdirSync(join(home, ".claude"), { recursive: true })
      const project = { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true }
      const known = {
        hasCompletedOnboarding: true,
        theme: "dark",
        bypassPermissionsModeAccepted: true,
        customApiKeyResponses: { approved: ["none"], rejected: [] },
        projects: { [work]: project },
      }
      writeFileSync(join(home, ".claude.json"), JSON.stringify(known))
      const file = join(home, ".claude/settings.json")
      const settings = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {}
      const mine = { skipDangerousModePermissionPrompt: true, tui: "default" }
      writeFileSync(file, JSON.stringify({ ...settings, ...mine }))
    },
    command,
    ready: /^❯\s*$/m,
    async rewind(terminal, prompt) {
      await terminal.type("/rewind")
      terminal.press("Enter")
      await terminal.sees("(current)")
      const chosen = new RegExp(`❯\\s${prompt}`)
      while (!chosen.test(terminal.screen.split("Restore the code").at(-1) ?? "")) {
        terminal.press("Up")
        await terminal.sees("Enter to continue")
      }
      terminal.press("Enter")
      const choices = await terminal.sees(/\d\. Restore conversation\n/)
      terminal.press(/(\d)\. Restore conversation\n/.exec(choices)?.[1] ?? "")
      // It offers the prompt again.
      await terminal.sees(new RegExp(`^❯\\s${prompt}`, "m"))
      terminal.press("C-u")
      await terminal.sees(/^❯\s*$/m)
    },
    async leave(terminal) {
      await terminal.type("/exit")
      terminal.press("Enter")
    },
  }
}
