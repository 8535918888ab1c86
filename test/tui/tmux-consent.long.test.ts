// What a person is asked, on a real terminal: all of it is there to be read, and only an answer answers.
import { existsSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { hasTmux, openPane, type Pane, RETCON } from "./tmux.ts"

const LONG = `echo 'a    b' ${"x".repeat(300)}      ; touch ran`

async function asked(pane: Pane, command: string): Promise<() => boolean> {
  pane.type(`${RETCON} --model practice`)
  pane.press("Enter")
  await pane.sees("new session")
  pane.type("say one")
  pane.press("Enter")
  await pane.rests(/^(?![\s\S]*esc stops)[\s\S]*─\n❯ Ask[^\n]*\n─+\n round 1/)
  pane.type(`run "${command}"`)
  pane.press("Enter")
  await pane.rests(/─── Allow Bash\? ─/)
  return () => existsSync(join(pane.cwd, "ran"))
}

describe.skipIf(!hasTmux())("in tmux", () => {
  test("a long command is broken at the edge of the screen, its runs of spaces whole", async () => {
    const pane = openPane(60, 40)
    const ran = await asked(pane, LONG)
    const lines = pane.screen().split("\n")
    const from = lines.findIndex((line) => line.startsWith("  $ "))
    const to = lines.findIndex((line) => line.startsWith("  in /"))
    const shown = lines.slice(from, to).map((line, i) => {
      expect(line.slice(0, 2)).toBe(i === 0 ? "  " : "↳ ")
      return line.slice(2).padEnd(58)
    })
    expect(shown.join("").trimEnd()).toBe(`$ ${LONG}`)
    pane.press("y")
    await pane.sees(/─\n❯ Ask[^\n]*\n─+\n round 2 .* 1 file changed/)
    expect(ran()).toBe(true)
  })

  test("one that is longer than the screen is paged before y works", async () => {
    const pane = openPane(60, 14)
    const ran = await asked(pane, LONG)
    await pane.sees(/lines 1–\d+ of \d+: press space to read on/)
    pane.press("y")
    await pane.sees("There is more to read")
    expect(ran()).toBe(false)
    pane.press("Space")
    await pane.sees(/lines 6–\d+ of \d+: press space to read on/)
    pane.press("Space")
    await pane.sees(/lines \d+–(\d+) of \1: ↑↓ scroll/)
    pane.press("y")
    await pane.sees(/─\n❯ Ask[^\n]*\n─+\n round 2 .* 1 file changed/)
    expect(ran()).toBe(true)
  })

  test("/back typed under it is a command, and no yes", async () => {
    const pane = openPane(80, 30)
    const ran = await asked(pane, "touch ran; sleep 0.1")
    pane.type("/back")
    await pane.sees(/You are typing[\s\S]*❯ \/back/)
    expect(ran()).toBe(false)
    pane.press("Enter")
    await pane.sees("Went back one round")
    await pane.sees(/─\n❯ run "touch ran; sleep 0\.1"\n─+\n round 1 of 2/)
    expect(pane.all()).not.toContain("✓ Bash")
    expect(ran()).toBe(false)
  })
})
