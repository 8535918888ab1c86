// A person with sessions of Claude Code and no hooks: what they are told is true, and one command protects them from then on.
import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { describe, expect, test } from "vitest"
import { putRecorded } from "../cli/recorded-claude.ts"
import { hasTmux, openPane, RETCON } from "./tmux.ts"

describe.skipIf(!hasTmux())("in tmux, without hooks", () => {
  test("a rewind with files says before and after what is not known, and one command covers what comes", async () => {
    const pane = openPane(100, 30)
    const home = dirname(pane.cwd)
    const session = putRecorded({ home, cwd: pane.cwd, version: "v197" })
    const file = () => readFileSync(join(pane.cwd, "new.txt"), "utf8")
    const enter = (text: string) => {
      pane.type(text)
      pane.press("Enter")
    }
    enter(`${RETCON} -r ${session}`)
    await pane.sees(/ round 6/)
    pane.press("Escape", "Escape")
    await pane.sees("Your prompts, newest first")
    pane.type("old_string")
    await pane.sees(/1 of 6 prompts/)
    pane.press("Enter")
    // Before the choice: what comes back, what stays, and what covers the rounds to come.
    await pane.sees(/Conversation and files +leaves \d+ messages, changes 1 file, not all is known/)
    await pane.sees("2 shell commands and 1 sub-agent ran in 2 rounds without snapshots: what they changed is")
    await pane.sees("retcon hooks install claude-code (in a shell)")
    await pane.sees(/modified +new\.txt/)
    expect(pane.screen()).not.toContain("as they were then")
    expect(file()).toBe("ONE\ntwo\n")
    pane.press("Enter")
    // After it.
    await pane.sees("Went back, with the files, as far as they are known")
    await pane.sees("2 shell commands and 1 sub-agent ran in 2 rounds without snapshots: what they changed is")
    expect(file()).toBe("one\ntwo\n")
    pane.press("C-c", "C-d")
    await pane.sees("Continue in Claude Code with")
    enter(`clear; ${RETCON} hooks install claude-code --yes`)
    await pane.sees("Installed the hooks for Claude Code.")
    expect(readFileSync(join(home, ".claude/settings.json"), "utf8")).toContain("RETCON_HOOK=")
  })
})
