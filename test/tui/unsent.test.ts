// What was typed and not sent when a person leaves: it is named, and stands in the editor when they continue.
import { describe, expect, test } from "vitest"
import { bash } from "../app/talk.ts"
import { makeTestHost, scriptedModel, type TestHost } from "../test-host.ts"
import { makeStage, plainTalk, type Stage } from "./stage.ts"

const working = () => {
  const model = scriptedModel([bash("echo started; sleep 60"), { text: "Answered." }, { text: "Again." }])
  return makeTestHost({ model: async () => model })
}

const continued = (host: TestHost) => makeStage({ with: host, rows: 40, parts: { start: { kind: "continue" } } })

/** A turn runs, and two messages wait for its next step. */
async function queuing(host: TestHost): Promise<Stage> {
  const stage = await makeStage({ with: host, rows: 40 })
  stage.enter("go")
  await stage.sees("started")
  stage.enter("first wish")
  stage.enter("second wish")
  await stage.sees(/queued: first wish[\s\S]*queued: second wish/)
  return stage
}

const EDITOR = /❯ first wish\s*\n\s*second wish\s*\n─/

describe("in the terminal", () => {
  test("Ctrl-D with messages queued: they are named, and come back into the editor with -c", async () => {
    const host = working()
    const stage = await queuing(host)
    stage.press("ctrl+d")
    await stage.ended
    expect(stage.written()).toContain("Not sent, and kept for when you continue: first wish and 1 more line.")
    const again = await continued(host)
    await again.sees(EDITOR)
    await again.sees("Your unsent text is back in the editor.")
    again.press("enter")
    await again.sees("Answered.")
    again.press("ctrl+d")
    await again.ended
    const third = await continued(host)
    expect(third.text()).not.toContain("What you had not sent")
  })

  test("a terminal that is closed keeps the queue and the draft below it, even over a session that was only viewed", async () => {
    const host = working()
    const stage = await queuing(host)
    stage.type("a third")
    stage.close()
    await stage.ended
    const again = await continued(host)
    await again.sees(/❯ first wish\s*\n\s*second wish\s*\n\s*a third\n─/)
    again.close()
    await again.ended
    const third = await continued(host)
    await third.sees(/a third\n─/)
  })

  test("a turn of another process in that session leaves the draft alone", async () => {
    const host = working()
    const stage = await queuing(host)
    stage.press("ctrl+d")
    await stage.ended
    const [listed] = (await host.host.list()).sessions
    const { session } = await host.open(listed?.id)
    expect(await session.send({ text: "from a script" })).toMatchObject({ outcome: "done" })
    expect(await session.close()).toBeUndefined()
    await (await continued(host)).sees(EDITOR)
  })
})

test("a prompt that a move gave back is in the editor again, and undo takes it out", async () => {
  const host = makeTestHost()
  const stage = await makeStage({ with: host, rows: 40 })
  stage.enter("say one")
  await stage.idle(1)
  stage.enter("say two")
  await stage.idle(2)
  stage.enter("/back")
  await stage.sees(/─\n❯ say two\n─/)
  stage.enter("/quit")
  await stage.ended
  const again = await continued(host)
  await again.sees(/─\n❯ say two\n─/)
  again.enter("/undo")
  await again.sees("─── Undone: going back ─")
  await again.sees(/─\n❯ Ask[^\n]*\n─+\n round 2 /)
})

test("a prompt that a move gave back waits in its session while the person looks at another one", async () => {
  const stage = await makeStage({ rows: 40 })
  stage.enter("say one")
  await stage.idle(1)
  stage.enter("/goto @1")
  await stage.sees(/─\n❯ say one\n─/)
  stage.enter("/new")
  await stage.sees("This is a new session.")
  stage.enter("/resume")
  await stage.sees("1 session")
  stage.press("enter")
  await stage.sees(/─\n❯ say one\n─/)
})

describe("--plain", () => {
  test("what Ctrl-C takes back is reported, and /send sends it", async () => {
    const written = await plainTalk(working(), [
      ["/help", "go"],
      ["Tool:", "first wish"],
      ["", "/stop"],
      ["Not sent: first wish\nSend it with: /send", "/send"],
      ["Answered.", "/send"],
      ["There is no unsent text.", "/quit"],
    ])
    expect(written).toMatch(/Continue with: retcon --plain -r [0-9a-f]+\n$/)
  })

  test("what was not sent when they left is reported when they continue", async () => {
    const host = working()
    await plainTalk(host, [
      ["/help", "go"],
      ["Tool:", "first wish"],
      ["", "/stop"],
      ["Not sent:", "half a line\\"],
    ])
    const written = await plainTalk(host, [["Send it with: /send", "/quit"]], { kind: "continue" })
    expect(written).toContain("You had not sent this when you left: first wish\nhalf a line\n")
  })
})
