import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { workIn } from "../../src/protocol/open-to-work.ts"
import { makeStage, type Stage } from "./stage.ts"

async function twoRounds(): Promise<Stage> {
  const stage = await makeStage({ rows: 40 })
  stage.enter("say one")
  await stage.idle(1)
  stage.enter("say two")
  await stage.idle(2)
  return stage
}

describe("moves while there is text in the editor", () => {
  test("/undo typed right after the prompt that /back gave takes the move back, and is not sent", async () => {
    const stage = await twoRounds()
    stage.enter("/back")
    await stage.sees(/─\n❯ say two\n─/)
    stage.enter("/undo")
    await stage.sees("─── Undone: going back ─")
    await stage.sees(/─\n❯ Ask[^\n]*\n─+\n round 2 /)
    expect(stage.text()).not.toContain("two/undo")
  })

  test("/back typed after it goes to the prompt before", async () => {
    const stage = await twoRounds()
    stage.enter("say three")
    await stage.idle(3)
    stage.enter("/back")
    await stage.sees(/─\n❯ say three\n─/)
    stage.enter(" /back")
    await stage.sees(/─\n❯ say two\n─/)
  })

  test.each([
    ["/label here", 'This point is called "here".'],
    [" /restore @1", "The files are already as they were then."],
    ["/allow", "Mode"],
  ])("%s typed after it runs with its argument, and the prompt stays", async (command, says) => {
    const stage = await twoRounds()
    stage.enter("/back")
    await stage.sees(/─\n❯ say two\n─/)
    stage.enter(command)
    await stage.sees(says)
    await stage.sees(/─\n❯ say two\n─/)
    expect(stage.text()).not.toContain(`two${command}`)
  })

  test("/undo and /redo take as many steps as asked, and refuse what is not a number", async () => {
    const stage = await twoRounds()
    stage.enter("/undo 2")
    await stage.sees(/─\n❯ say one\n─/)
    stage.enter("/redo 9")
    await stage.sees("nothing to redo")
    await stage.sees(/─\n❯ Ask[^\n]*\n─+\n round 2 /)
    stage.enter("/undo x")
    await stage.sees('"x" is not a number of steps.')
    await stage.idle(2)
  })

  test("a path typed right after it is part of the prompt", async () => {
    const stage = await twoRounds()
    stage.enter("/back")
    await stage.sees(/─\n❯ say two\n─/)
    stage.enter("/model/part.ts")
    await stage.sees(/❯ say two\/model\/part\.ts\n\ntwo\/model\/part\.ts\n/)
  })

  test("a prompt that came back and was changed is sent, whatever it ends in", async () => {
    const stage = await twoRounds()
    stage.enter("/back")
    await stage.sees(/─\n❯ say two\n─/)
    stage.enter(" and explain /undo")
    await stage.sees("❯ say two and explain /undo")
  })

  test("a command on a separate line under a draft runs, and the draft stays", async () => {
    const stage = await twoRounds()
    stage.type("half a thought")
    stage.press("alt+enter")
    stage.enter("/undo")
    await stage.sees("─── Undone: your prompt “say two” ─")
    await stage.sees(/─\n❯ half a thought\n─+\n Your draft stays/)
    stage.press("alt+enter")
    stage.enter("/redo")
    await stage.sees("─── Redone: your prompt “say two” ─")
    await stage.sees(/─\n❯ half a thought\n─/)
    stage.press("alt+enter")
    stage.enter("/new")
    await stage.sees("This is a new session.")
    await stage.sees(/─\n❯ half a thought\n─/)
  })

  test("a prompt that could not be sent comes back, and the command that the message names runs after it", async () => {
    const stage = await twoRounds()
    const [listed] = (await stage.host.host.list()).sessions
    const session = await stage.host.elsewhere().open(listed?.id as never)
    const elsewhere = workIn(session).send({ text: 'run "while [ ! -e go ]; do :; done"' })
    await stage.sees("A prompt was sent: “run")
    stage.enter("say three")
    await stage.sees("work on a copy with: /split")
    await stage.sees(/─\n❯ say three\n─/)
    stage.enter("/split")
    await stage.sees("This is a copy")
    await stage.sees(/─\n❯ say three\n─/)
    writeFileSync(join(stage.host.root, "go"), "")
    await elsewhere
  })

  test("a prompt chosen in the rewind list replaces a draft, which ↑ brings back", async () => {
    const stage = await twoRounds()
    stage.type("half a thought")
    stage.press("escape", "escape")
    await stage.sees("go back to it")
    stage.press("enter")
    await stage.sees("onversation only")
    stage.press("down", "enter")
    await stage.sees(/─\n❯ say two\n─+\n This replaced your draft/)
    stage.press("ctrl+c", "up")
    await stage.sees(/─\n❯ half a thought\n─/)
  })
})
