import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { workIn } from "../../src/protocol/open-to-work.ts"
import type { Model } from "../../src/provider/port/port.ts"
import { practiceModel } from "../../src/provider/practice/practice.ts"
import { systemOptions } from "../../src/session/state/system.ts"
import { makeStage, type Stage } from "./stage.ts"

/** Says nothing until it is stopped. */
function silentModel(): Model {
  return {
    ...practiceModel(),
    async *step({ signal }) {
      await new Promise<void>((settle) => {
        if (signal.aborted) settle()
        signal.addEventListener("abort", () => settle())
      })
      yield { type: "failed", problem: { kind: "aborted", message: "Stopped." } }
    },
  }
}

describe("when the agent backtracks", () => {
  async function explored(): Promise<Stage> {
    const stage = await makeStage({ rows: 60 })
    stage.enter('create a.txt with "the key is 42" then explore 2 files for "key"')
    await stage.idle(1)
    await stage.sees("Backtracked to Checkpoint")
    return stage
  }

  test("a rule says where to, what it discards, what it returned to and what the note is", async () => {
    const stage = await explored()
    expect(stage.text()).toMatch(
      /─── Backtracked to Checkpoint \d+ ─+\nDiscards \d+ messages\. Undo with \/undo\nReturned to: create a\.txt/,
    )
    expect(stage.text()).toContain("Note from future:")
  })

  test("the discarded part stays above, dimmed; the rest does not change", async () => {
    const stage = await explored()
    await stage.until(() => stage.styleOf("✓ Read a.txt")?.dim === true)
    expect(stage.styleOf("❯ create")?.dim).toBe(false)
    expect(stage.styleOf("Note from future")?.dim).toBe(false)
  })

  test("resuming shows the same from the log, in the same order", async () => {
    const stage = await explored()
    stage.press("ctrl+d")
    await stage.ended
    const again = await makeStage({ rows: 60, with: stage.host, parts: { start: { kind: "continue" } } })
    await again.sees("Backtracked to Checkpoint")
    const order = [
      "❯ create a.txt",
      "✓ Write",
      "✓ Read a.txt",
      "Backtracked to Checkpoint",
      "Returned to:",
      "Note from future:",
    ]
    const places = order.map((text) => again.text().indexOf(text))
    expect(places).toEqual(places.toSorted((a, b) => a - b))
    expect(places[0]).toBeGreaterThan(-1)
    expect(again.styleOf("✓ Read a.txt")?.dim).toBe(true)
  })
})

describe("Esc", () => {
  test("while the agent works stops it", async () => {
    const stage = await makeStage()
    stage.enter('run "echo started; sleep 30"')
    await stage.sees("  started")
    stage.press("escape")
    await stage.sees("! Stopped.")
    expect(stage.text()).toContain("round 1")
  })

  test("before any output withdraws the prompt: its text is in the editor again", async () => {
    const stage = await makeStage({ host: { model: async () => silentModel() } })
    stage.enter("say hello")
    await stage.sees("esc stops")
    stage.press("escape")
    await stage.sees("Withdrawn")
    await stage.sees(/─\n❯ say hello\n─/)
  })

  test("twice when idle opens the rewind list; another key in between does not", async () => {
    // No time passes between the two.
    const stage = await makeStage({ parts: { elapsed: () => 0 } })
    stage.enter("say one")
    await stage.idle(1)
    stage.press("escape")
    await stage.sees("Esc again")
    stage.type("x")
    stage.press("backspace", "escape")
    await stage.sees("Esc again")
    stage.press("escape")
    await stage.sees("go back to it")
    expect(stage.text()).toContain("say one")
  })
})

test("'again' is offered for as long as it counts, for Esc and for ctrl+c", async () => {
  const stage = await makeStage()
  stage.enter("say one")
  await stage.idle(1)
  stage.press("escape")
  await stage.sees("Esc again")
  await stage.sees(/─\n round 1 /)
  stage.press("ctrl+c")
  await stage.sees("Press ctrl+c again to quit")
  await stage.sees(/─\n round 1 /)
})

test("the notice that another process continued this session comes once for each prompt, not for each of its records", async () => {
  const stage = await makeStage({ rows: 40 })
  stage.enter("say one")
  await stage.idle(1)
  const [listed] = (await stage.host.host.list()).sessions
  const session = await stage.host.elsewhere().open(listed?.id as never)
  await workIn(session).send({ text: "say from elsewhere" })
  await stage.idle(2)
  await workIn(session).send({ text: "say more" })
  await stage.idle(3)
  await stage.sees("\nmore\n")
  expect(stage.text().match(/A prompt was sent/g)).toHaveLength(2)
})

describe("moves", () => {
  test("/goto and /back take the options of the command line for files", async () => {
    const stage = await makeStage({ rows: 40 })
    stage.enter("create a.txt with one")
    await stage.idle(1)
    stage.enter("change one to two in a.txt")
    await stage.idle(2)
    const file = () => readFileSync(join(stage.host.root, "a.txt"), "utf8")
    stage.enter("/back --files keep")
    await stage.sees("Went back one round")
    expect(file()).toBe("two")
    stage.press("ctrl+c")
    stage.enter("/goto @1 --files restore --yes")
    await stage.sees("Went to @1")
    expect(() => file()).toThrow("ENOENT")
  })

  test("/back goes back a round, puts the prompt into the editor, and /undo takes it back", async () => {
    const stage = await makeStage({ rows: 40 })
    stage.enter("say one")
    await stage.idle(1)
    stage.enter("say two")
    await stage.idle(2)
    stage.enter("/back")
    await stage.sees("Went back one round")
    await stage.sees(/─\n❯ say two\n─/)
    await stage.sees("round 1 of 2")
    stage.press("ctrl+c")
    stage.enter("/undo")
    await stage.sees("Undone")
    await stage.sees(/ round 2 ·/)
  })

  test("/restore says which files changed and leaves the conversation alone; once more, that nothing did", async () => {
    const stage = await makeStage({ rows: 40 })
    stage.enter("create a.txt with one")
    await stage.idle(1)
    stage.enter("change one to two in a.txt")
    await stage.idle(2)
    stage.enter("/restore @2")
    await stage.sees(/Restore the files as they were before @2[\s\S]*modified +a\.txt/)
    stage.press("enter")
    await stage.sees(/─ Files restored ─+\nTake this back with \/undo\nFiles: modified a\.txt\n\n─/)
    stage.enter("/restore @2")
    await stage.sees("The files are already as they were then. Nothing was changed.")
    await stage.sees(/ round 2 ·/)
  })

  test("/restore that changes nothing says why a file stays", async () => {
    const stage = await makeStage({ rows: 40 })
    stage.enter("create a.txt with one")
    await stage.idle(1)
    writeFileSync(join(stage.host.root, "a.txt"), "mine")
    stage.enter("/restore @1")
    await stage.sees(/· Nothing was changed\.\n {2}Kept a\.txt: you changed it since\n/)
  })

  test.each([
    [0, "Went back, with the files", "one", / round 1 of 2 /],
    [1, "Went back, without the files", "two", / round 1 of 2 /],
    [2, "Files restored", "one", / round 2 ·/],
    [3, "Went back, with a summary of what was left behind", "two", / round 1, 2 branches/],
  ])("way %i of the rewind says what was done: %s", async (way, said, holds, position) => {
    const stage = await makeStage({ rows: 40 })
    stage.enter("create a.txt with one")
    await stage.idle(1)
    stage.enter("change one to two in a.txt")
    await stage.idle(2)
    stage.press("escape", "escape")
    await stage.sees("go back to it")
    stage.press("enter")
    await stage.sees("summarised")
    for (let at = 0; at < way; at++) stage.press("down")
    stage.press("enter")
    await stage.sees(`─── ${said} ─`)
    await stage.sees(position)
    expect(readFileSync(join(stage.host.root, "a.txt"), "utf8")).toBe(holds)
    await stage.sees(way === 2 ? /─\n❯ Ask[^\n]*\n─/ : /─\n❯ change one to two in a\.txt\n─/)
  })

  test("what is refused names a command that can be typed here", async () => {
    const stage = await makeStage()
    stage.enter("say one")
    await stage.idle(1)
    stage.enter("/redo")
    await stage.sees("To reverse a move, such as back, use: /undo")
    stage.enter("/goto nowhere")
    await stage.sees("See all entries with: /tree")
    expect(stage.text()).not.toContain("retcon log")
  })

  test("three rounds with files, one by shell: rewind with files, another try, two undos, and quit and continue", async () => {
    const stage = await makeStage({ rows: 50, host: { session: { ...systemOptions(), files: "restore" } } })
    const read = (name: string) => readFileSync(join(stage.host.root, name), "utf8")
    stage.enter("create a.txt with one")
    await stage.idle(1)
    stage.enter("change one to two in a.txt")
    await stage.idle(2)
    stage.enter('run "echo three > a.txt"')
    await stage.idle(3)
    stage.press("escape", "escape")
    await stage.sees("go back to it")
    stage.press("down", "enter")
    await stage.sees(/onversation and files/)
    stage.press("enter")
    // In the editor, between its two rules: the text comes back after the status line has changed.
    await stage.sees(/─\n❯ change one to two in a\.txt *\n─/)
    await stage.sees("round 1 of 3")
    expect(read("a.txt").trim()).toBe("one")
    stage.press("ctrl+c")
    stage.enter("change one to 2 in a.txt")
    await stage.idle(2)
    await stage.sees(/ round 2, 2 branches/)
    expect(read("a.txt").trim()).toBe("2")
    stage.enter("/undo")
    await stage.sees("round 1 of 3")
    await stage.sees(/─\n❯ change one to 2 in a\.txt *\n─/)
    stage.enter("/undo")
    // The prompt that was given back leaves the editor after the status line has changed, and ctrl+d needs it empty.
    await stage.sees(/─\n❯ Ask[^\n]*\n─+\n round 3, 2 branches/)
    expect(read("a.txt").trim()).toBe("three")
    stage.press("ctrl+d")
    await stage.ended
    const again = await makeStage({ rows: 50, with: stage.host, parts: { start: { kind: "continue" } } })
    await again.sees(/ round 3, 2 branches/)
  })
})
