// The built program on a real terminal, with what is around it: its configuration, and another process.
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { describe, expect, test } from "vitest"
import { hasTmux, openPane, type Pane, RETCON } from "./tmux.ts"

async function started(pane: Pane, words = "--mode yolo --model practice"): Promise<void> {
  pane.type(`${RETCON} ${words}`)
  pane.press("Enter")
  await pane.sees(/new session|─\n round \d/)
}

function configure(pane: Pane, config: object): void {
  const home = join(dirname(pane.cwd), "home")
  mkdirSync(home)
  writeFileSync(join(home, "config.json"), JSON.stringify(config))
}

describe.skipIf(!hasTmux())("in tmux", () => {
  test("keys of config.json: the new key works, /help and the hints show it, one that is taken is named", async () => {
    const pane = openPane(100, 60)
    configure(pane, { keys: { tree: "ctrl+y", details: ["f2", "alt+o"], edit: "ctrl+c", fly: "f9" } })
    await started(pane)
    await pane.sees(/"keys": ctrl\+c belongs to "clear"; "edit" stays ctrl\+g/)
    await pane.sees(/"keys": there is no action "fly"/)
    pane.type("/help")
    pane.press("Enter")
    await pane.sees(/\[Commands\][\s\S]*\/back \[n\] +go back/)
    pane.press("Tab")
    await pane.sees(/\[Keys\][\s\S]*f2, alt\+o +show folded output in full/)
    await pane.sees(/ctrl\+y +show the tree of the session/)
    pane.press("Escape")
    await pane.sees("─\n new session")
    pane.type('run "seq 1 30"')
    pane.press("Enter")
    await pane.sees("… 24 more lines (f2)")
    pane.press("F2")
    await pane.sees(/^Details/m)
    pane.press("Escape")
    await pane.sees("─\n round 1")
    pane.press("C-y")
    await pane.sees(/^Tree +prompts/m)
  })

  test("in a home directory it says, whole and on a narrow screen, that going back leaves the files alone", async () => {
    const pane = openPane(60, 30)
    pane.type("cd ..")
    pane.press("Enter")
    await started(pane)
    await pane.sees("files not covered")
    const shown = () => pane.screen().replaceAll(/\s+/g, " ")
    await expect
      .poll(shown)
      .toMatch(/Going back will leave your files alone: \S+ is a home directory, or a folder above one\. Open/)
    await expect.poll(shown).toContain("cover this one anyway: retcon config workspace.allowAny true")
  })

  test("/model completes the names that can be used here, /doctor says that all is good", async () => {
    const pane = openPane()
    pane.type("export ANTHROPIC_API_KEY=no-key-at-all")
    pane.press("Enter")
    await started(pane)
    pane.type("say one")
    pane.press("Enter")
    await pane.sees("─\n round 1")
    pane.type("/model ")
    await pane.sees(/ anthropic\/claude\S+ +(?:200k|1M) tokens/)
    pane.type("prac")
    await pane.sees(/→ practice +a few fixed rules/)
    pane.press("Tab")
    await pane.sees(/─\n❯ \/model practice *\n─/)
    pane.press("Enter")
    await pane.sees("The model is now practice/rules.")
    pane.type("/doctor")
    pane.press("Enter")
    await pane.sees(/All good: 1 session, \d+ lines\./)
  })

  test("a session with a turn in another process says so, and can be continued in a copy", async () => {
    const pane = openPane(80, 40)
    await started(pane)
    pane.type('run "echo on; while [ ! -e go ]; do sleep 0.1; done"')
    pane.press("Enter")
    await pane.sees("  on")
    const other = openPane(80, 40, dirname(pane.cwd))
    await started(other, "-c --model practice")
    await other.sees("The agent is working in this session in another process.")
    other.type("say me too")
    other.press("Enter")
    await other.sees(/Process \d+ is running a turn in this session\.\n +Stop it, or work on a copy with: \/split/)
    other.press("C-c", "C-d")
    await other.sees(/\n[$#]\s*$/)
    other.type(`clear; ${RETCON} -r --model practice`)
    other.press("Enter")
    await other.sees(/› .*open elsewhere run "echo on/)
    other.press("Enter")
    await other.sees("The agent is working in it elsewhere. Open a copy instead?")
    other.press("y")
    await other.sees("This is a copy; the original session stays as it is.")
    other.type("say in the copy")
    other.press("Enter")
    await other.sees("─\n round 2")
    writeFileSync(join(pane.cwd, "go"), "")
    await pane.sees(/^(?![\s\S]*esc stops)[\s\S]*─\n round 1 ·/)
    expect(pane.all()).not.toContain("in the copy")
  })
})
