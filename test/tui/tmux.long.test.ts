// The built program on a real terminal. What is shown is waited for, never slept for.
import { readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { describe, expect, test, vi } from "vitest"
import { LONGEST } from "../within.ts"
import { hasTmux, openPane, type Pane, RETCON } from "./tmux.ts"

/** The shell waits, with nothing below. */
const SHELL = /\n[$#]\s*$/
/** One can type, and no line says how to stop the agent. */
const IDLE = /^(?![\s\S]*esc stops)[\s\S]*─\n❯ Ask[^\n]*\n─+\n round/

async function started(pane: Pane, words = "--mode yolo --model practice"): Promise<void> {
  pane.type(`${RETCON} ${words}`)
  pane.press("Enter")
  await pane.sees(/new session|─\n round \d/)
}

async function round(pane: Pane, prompt: string, number: number): Promise<void> {
  pane.type(prompt)
  pane.press("Enter")
  await pane.sees(new RegExp(`─\\n round ${number}\\b`))
  await pane.rests(IDLE)
}

describe.skipIf(!hasTmux())("in tmux", () => {
  test("a round, a change of width, leaving: what was on the terminal before is still there", async () => {
    const pane = openPane(80, 24)
    pane.type("echo what was there before")
    pane.press("Enter")
    await started(pane)
    await round(pane, "create a.txt with hello", 1)
    for (const [columns, rows] of [
      [60, 20],
      [120, 30],
      [80, 24],
    ] as const) {
      pane.resize(columns, rows)
      await pane.rests(new RegExp(`\\n─{${columns}}\\n❯ Ask[^\\n]*\\n─{${columns}}\\n round`))
    }
    pane.press("C-d")
    await pane.sees(SHELL)
    const all = pane.all()
    expect(all).toContain("what was there before")
    expect(all.match(/Created a\.txt\./g)).toHaveLength(1)
    expect(all).not.toContain("────────────")
    expect(pane.isRaw()).toBe(false)
    expect(readFileSync(join(pane.cwd, "a.txt"), "utf8")).toBe("hello")
  })

  test("a file that a command changed is left without its tick, the other goes back", async () => {
    const pane = openPane(60, 24)
    await started(pane)
    await round(pane, 'run "echo mine > mine.txt; echo built > built.txt"', 1)
    pane.type("/restore @1")
    pane.press("Enter")
    await pane.sees(/› \[x\] deleted {3}built\.txt/)
    pane.press("Down", "Space")
    await pane.sees(/\[x\] deleted {3}built\.txt[^\n]*\n› \[ \] stays {5}mine\.txt/)
    pane.press("Enter")
    await pane.sees("Kept mine.txt: as you asked")
    expect(readdirSync(pane.cwd)).toEqual(["mine.txt"])
  })

  test("Esc Esc: back to the second of three prompts with the files, another try, two undos, quit and continue", async () => {
    const pane = openPane(80, 40)
    pane.type(`${RETCON} config files restore`)
    pane.press("Enter")
    await started(pane)
    const file = () => readFileSync(join(pane.cwd, "a.txt"), "utf8").trim()
    await round(pane, "create a.txt with one", 1)
    await round(pane, "change one to two in a.txt", 2)
    await round(pane, 'run "echo three > a.txt"', 3)
    // Together, because the second one counts only for a moment.
    pane.press("Escape", "Escape")
    await pane.sees("Enter go back to it")
    pane.press("Down", "Enter")
    await pane.sees("onversation and files")
    pane.press("Enter")
    await pane.sees(/─\n❯ change one to two in a\.txt\n─/)
    expect(file()).toBe("one")
    // "two" becomes "2" where it stands: the prompt is edited, not typed again.
    pane.press(...Array.from("two in a.txt", () => "BSpace"))
    await pane.sees(/─\n❯ change one to *\n─/)
    await round(pane, "2 in a.txt", 2)
    expect(pane.screen()).toContain("❯ change one to 2 in a.txt")
    expect(file()).toBe("2")
    pane.type("/tree")
    pane.press("Enter")
    await pane.sees(/^Tree +prompts +2 branches$/m)
    await pane.sees(/● head @2 change one to 2 in a\.txt/)
    await pane.sees(
      /│ ○ run "echo three > a\.txt"[\s\S]*│ ○ change one to two in a\.txt[\s\S]*├─╯\n.*○ @1 create a\.txt/,
    )
    pane.press("Escape")
    await pane.sees("─\n round 2, 2 branches")
    pane.type("/undo")
    pane.press("Enter")
    await pane.sees("─\n round 1 of 3")
    await pane.sees(/─\n❯ change one to 2 in a\.txt\n─/)
    pane.type("/undo")
    pane.press("Enter")
    await pane.sees("─\n round 3, 2 branches")
    expect(file()).toBe("three")
    pane.press("C-c", "C-d")
    await pane.sees(SHELL)
    await started(pane, "-c")
    await pane.sees("─\n round 3, 2 branches")
    await pane.sees(/❯ run "echo three > a\.txt"/)
    expect(file()).toBe("three")
  })

  test("ctrl+z and fg; a SIGTERM gives the terminal back", async () => {
    const pane = openPane()
    await started(pane)
    pane.type("half a prompt")
    await pane.sees(" half a prompt")
    pane.press("C-z")
    await pane.sees(/Stopped[\s\S]*[$#]\s*$/)
    expect(pane.isRaw()).toBe(false)
    pane.type("fg")
    pane.press("Enter")
    await pane.sees(/fg[\s\S]*─\n❯ half a prompt\n─/)
    process.kill(pane.pidOf("cli.cjs"), "SIGTERM")
    await pane.sees(SHELL)
    expect(pane.isRaw()).toBe(false)
    pane.type("echo $((40 + 2))")
    pane.press("Enter")
    await pane.sees("42")
  })

  test("a SIGHUP in the middle of a turn ends it in order: the terminal is given back, the turn is in the log", async () => {
    const pane = openPane()
    await started(pane)
    pane.type('run "echo on; sleep 60"')
    pane.press("Enter")
    await pane.sees("  on")
    process.kill(pane.pidOf("cli.cjs"), "SIGHUP")
    await pane.sees(/\n[$#] *\n*$/)
    expect(pane.isRaw()).toBe(false)
    pane.type(`clear; ${RETCON} doctor; ${RETCON} log`)
    pane.press("Enter")
    await pane.sees(/All good: 1 session/)
    await pane.sees(/head @1 run "echo on; sleep 60"/)
  })

  test("a crash gives the terminal back and says what happened", async () => {
    const pane = openPane()
    pane.type(
      `export NODE_OPTIONS='--import "data:text/javascript,process.on(\`SIGUSR2\`,()=>{throw(Error(\`boom\`))})"'`,
    )
    pane.press("Enter")
    await started(pane)
    process.kill(pane.pidOf("cli.cjs"), "SIGUSR2")
    await pane.sees(/Error: boom[\s\S]*\n[$#]\s*$/)
    expect(pane.isRaw()).toBe(false)
  })

  test("a terminal that is closed in the middle of a turn ends the program, and nothing is lost", async () => {
    const pane = openPane()
    await started(pane)
    await round(pane, "create a.txt with hello", 1)
    pane.type('run "echo on; sleep 60"')
    pane.press("Enter")
    await pane.sees("  on")
    pane.type("half a prompt")
    await pane.sees("❯ half a prompt")
    const pid = pane.pidOf("cli.cjs")
    pane.kill()
    await gone(pid)
    const again = openPane(80, 40, dirname(pane.cwd))
    await started(again, "-c")
    await again.sees("Created a.txt.")
    await again.sees(/❯ run "echo on; sleep 60"/)
    await again.sees("This call was interrupted before it ended.")
    await again.sees("❯ half a prompt")
  })

  test.each([
    ["", "❯ Ask anything"],
    ["--plain", "Type /help for help"],
    ['run "run sleep 60" --mode yolo', "Running: sleep 60"],
  ])("retcon %s exits when its terminal is closed, and does not crash", async (words, shown) => {
    const pane = openPane(100)
    pane.type(`sh -c 'trap : HUP; ${RETCON} ${words} --model practice; echo exit $? > exit.txt'`)
    pane.press("Enter")
    await pane.sees(shown)
    pane.kill()
    const exit = join(pane.cwd, "exit.txt")
    await vi.waitFor(() => expect(readFileSync(exit, "utf8")).toMatch(/^exit (?:0|1|129|141)\n$/), LONGEST)
  })

  test("-r: a session is chosen from a list with a preview, found by what was said in it", async () => {
    const pane = openPane(100, 30)
    for (const prompt of ["say the first one", "say the second one"]) {
      await started(pane)
      await round(pane, prompt, 1)
      pane.press("C-d")
      await pane.sees(SHELL)
      pane.type("clear")
      pane.press("Enter")
      await pane.sees(/^[$#]\s*$/)
    }
    pane.type(`${RETCON} -r`)
    pane.press("Enter")
    await pane.sees("Sessions  of this directory")
    await pane.sees("You: say the second one")
    pane.press("Down")
    await pane.sees("You: say the first one")
    pane.type("second one")
    await pane.sees("1 of 2 sessions")
    pane.press("Enter")
    await pane.sees(/❯ say the second one[\s\S]*─\n round 1/)
  })
})

/** The process has ended. */
async function gone(pid: number): Promise<void> {
  const end = performance.now() + LONGEST
  while (performance.now() < end) {
    try {
      process.kill(pid, 0)
    } catch {
      return
    }
    await new Promise((settle) => setTimeout(settle, 20))
  }
  throw new Error(`Process ${pid} still runs.`)
}
