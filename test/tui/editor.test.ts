import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import type { MessageRecord } from "../../src/model/record/record.ts"
import { completion } from "../../src/tui/editor/editor-completion.ts"
import { makeStage, type Stage } from "./stage.ts"

const LONG = Array.from({ length: 30 }, (_, i) => `line ${i + 1}`).join("\n")
const PNG = { part: { type: "image" as const, mediaType: "image/png", data: "iVBORw0KGgo=" }, name: "shot.png" }

function paste(stage: Stage, text: string): void {
  stage.send(`\u001b[200~${text}\u001b[201~`)
}

async function prompts(stage: Stage): Promise<MessageRecord[]> {
  const [listed] = (await stage.host.host.list()).sessions
  const session = await stage.host.host.open(listed?.id as never)
  const found: MessageRecord[] = []
  for (let row = 0; row < session.history.size; row++) {
    const record = session.history.record(row)
    if (record?.type === "message" && session.history.isPrompt(row)) found.push(record)
  }
  await session.close()
  return found
}

describe("the editor", () => {
  test("several lines: a backslash before Enter, or Alt+Enter", async () => {
    const stage = await makeStage()
    stage.type("say one\\")
    stage.press("enter")
    stage.type("two")
    stage.press("alt+enter")
    stage.type("three")
    await stage.sees(/❯ say one\n {2}two\n {2}three\n─/)
  })

  test("a prompt with a paste that ↑ brings back is sent with all of it; the end of its last line is no line more", async () => {
    const stage = await makeStage({ rows: 40 })
    stage.type("say ")
    paste(stage, `${LONG}\n`)
    await stage.sees("❯ say [paste #1 +30 lines]")
    stage.press("enter")
    await stage.idle(1)
    stage.press("up", "enter")
    await stage.idle(2)
    const content = [{ type: "text", text: `say ${LONG}` }]
    expect((await prompts(stage)).map((prompt) => prompt.content)).toEqual([content, content])
  })

  test("a long paste is a placeholder; the message contains all of it, and a rewind brings the placeholder back", async () => {
    const stage = await makeStage({ rows: 40 })
    stage.enter("say first")
    await stage.idle(1)
    stage.type("say ")
    paste(stage, LONG)
    stage.type(" please")
    await stage.sees("say [paste #1 +30 lines] please")
    stage.press("enter")
    await stage.idle(2)
    const sent = (await prompts(stage))[1]
    expect(sent?.content).toEqual([{ type: "text", text: `say ${LONG} please` }])
    expect(sent?.display).toBe("say [paste #1 +30 lines] please")
    stage.enter("/back")
    await stage.sees(/─\n❯ say \[paste #1 \+30 lines\] please\n─/)
    stage.type("!")
    stage.press("enter")
    await stage.idle(2)
    expect((await prompts(stage))[2]?.content).toEqual([{ type: "text", text: `say ${LONG} please!` }])
  })

  test("an image is a placeholder, is sent with the message, and a rewind brings it back", async () => {
    const stage = await makeStage({
      rows: 40,
      parts: { readImage: async (path) => (path === "/x/shot.png" ? PNG : undefined) },
    })
    stage.enter("say first")
    await stage.idle(1)
    stage.type("say ")
    paste(stage, "/x/shot.png")
    await stage.sees("[image #1 shot.png]")
    stage.type("nice")
    stage.press("enter")
    await stage.idle(2)
    expect((await prompts(stage))[1]?.content[0]).toEqual(PNG.part)
    stage.enter("/back")
    await stage.sees(/─\n❯ say \[image #1 shot\.png\] nice\n─/)
    stage.press("enter")
    await stage.idle(2)
    expect((await prompts(stage))[2]?.content[0]).toEqual(PNG.part)
  })

  test("the arrow keys bring back what was typed before; ctrl+- undoes", async () => {
    const stage = await makeStage()
    stage.enter("say one")
    await stage.idle(1)
    stage.press("up")
    await stage.sees(/─\n❯ say one\n─/)
    stage.type(" more")
    await stage.sees(/─\n❯ say one more\n─/)
    stage.press("ctrl+-")
    await stage.until(() => !/─\n❯ say one more\n─/.test(stage.text()))
  })

  test("/ offers the commands that fit, and Tab takes one", async () => {
    const stage = await makeStage()
    stage.type("/bra")
    await stage.sees("/branches")
    await stage.sees("list the branches")
    stage.press("tab")
    await stage.sees(/─\n❯ \/branches\n─/)
  })

  test("/model offers the names of models, Enter takes the one that fits and Enter again chooses it", async () => {
    const models = async () => [
      { value: "practice/rules", about: "fixed rules" },
      { value: "other/large", about: "200k tokens" },
    ]
    const stage = await makeStage({ parts: { models } })
    stage.type("/model ")
    await stage.sees(/practice\/rules +fixed rules\n.*other\/large +200k tokens/)
    stage.type("pra")
    await stage.until(() => !stage.text().includes("200k tokens"))
    stage.press("enter")
    await stage.sees(/─\n❯ \/model practice\/rules\n─/)
    stage.press("enter")
    await stage.sees("The model is now practice/rules.")
  })

  test("what was typed in full is sent with one Enter, whether the list had the time to follow or not", async () => {
    const stage = await makeStage()
    stage.type("/mode autoEdit")
    await stage.sees(/→ autoEdit/)
    stage.press("enter")
    await stage.sees("Mode autoEdit")
    stage.type("/mode ")
    await stage.sees(/→ plan/)
    stage.enter("yolo")
    await stage.sees("Mode yolo")
  })

  test("@ offers files", async () => {
    const stage = await makeStage({
      parts: {
        completeFiles: async (prefix) => ({
          paths: ["src/one.ts", "src/two words.ts"].filter((path) => path.includes(prefix)),
        }),
      },
    })
    mkdirSync(join(stage.host.root, "src"))
    writeFileSync(join(stage.host.root, "src/one.ts"), "")
    stage.type("read @on")
    await stage.sees(/→? ?src\/one\.ts/)
    stage.press("tab")
    await stage.sees(/─\n❯ read @src\/one\.ts\n─/)
  })

  test("after a command @2 is the second prompt, and no file with a 2 in its name is put in its place", async () => {
    const { signal } = new AbortController()
    const offered = completion({ commands: () => [], files: async () => ({ paths: ["notes-2.md"] }) })
    const at = (text: string) => offered.getSuggestions([text], 0, text.length, { signal })
    expect(await at("/goto @2")).toBeNull()
    expect(await at("/restore @2")).toBeNull()
    expect((await at("read @2"))?.items).toHaveLength(1)
    expect((await at("/src/a.ts is wrong, see @2"))?.items).toHaveLength(1)
  })

  test("! runs a command; its output is shown and kept for the model", async () => {
    const stage = await makeStage()
    stage.enter("!echo from the shell")
    await stage.sees("  from the shell")
    stage.enter("say hello")
    await stage.idle(1)
    expect(stage.all().join("\n")).toContain("✓ ! echo from the shell")
  })

  test("a command of the person's own that fails says how; ! alone is neither a command nor a prompt", async () => {
    const stage = await makeStage()
    stage.enter("!exit 3")
    await stage.sees(/✗ ! exit 3\n {2}\(exit code 3\)\n/)
    stage.enter("!")
    await stage.sees("Type a command after the !")
    await stage.sees(/─\n❯ Ask[^\n]*\n─/)
    expect(stage.text()).not.toContain("❯ !")
  })

  test("the person's own editor gets the text and gives it back; the terminal is theirs meanwhile", async () => {
    let given = ""
    const stage = await makeStage({
      parts: {
        async editText(text) {
          given = text
          expect(stage.started).toBe(false)
          return "say edited\n"
        },
      },
    })
    stage.type("say draft")
    stage.press("ctrl+g")
    await stage.sees(/─\n❯ say edited\n─/)
    expect(given).toBe("say draft")
    expect(stage.started).toBe(true)
  })
})

describe("images in a draft", () => {
  const parts = {
    readImage: async (path: string) => ({ part: { ...PNG.part, data: path.slice(1, 4) }, name: "x.png" }),
  }

  test("stay when it is edited further in the person's own editor", async () => {
    const editText = async (text: string) => `say what is in ${text.trim()}?`
    const stage = await makeStage({ parts: { ...parts, editText } })
    paste(stage, "/one/x.png")
    await stage.sees("[image #1 x.png]")
    stage.press("ctrl+g")
    await stage.sees("say what is in [image #1 x.png]?")
    stage.press("enter")
    await stage.idle(1)
    expect((await prompts(stage))[0]?.content[0]).toEqual({ ...PNG.part, data: "one" })
  })

  test("and those of queued messages stay, each its own, when what is queued is taken back", async () => {
    const stage = await makeStage({ rows: 40, parts })
    stage.enter('run "while [ ! -e go ]; do :; done"')
    await stage.sees("● Bash")
    paste(stage, "/two/x.png")
    await stage.sees(/─\n❯ \[image #1 x\.png\]/)
    stage.press("enter")
    await stage.sees("queued: [image #1")
    stage.type("say ")
    paste(stage, "/six/x.png")
    await stage.sees(/─\n❯ say \[image #1 x\.png\]/)
    stage.type("and ")
    paste(stage, LONG)
    stage.press("alt+up")
    await stage.sees(/─\n❯ \[image #1 x\.png\]\n {2}say \[image #2 x\.png\] and \[paste #\d+ \+30 lines\]\n─/)
    writeFileSync(join(stage.host.root, "go"), "")
    await stage.idle(1)
    stage.press("enter")
    await stage.idle(2)
    const { content = [] } = (await prompts(stage))[1] ?? {}
    expect(content.flatMap((part) => (part.type === "image" ? [part.data] : []))).toEqual(["two", "six"])
  })
})

describe("typing while the agent works", () => {
  test("queues a message, which is given to the agent after the step", async () => {
    const stage = await makeStage()
    stage.enter('run "while [ ! -e go ]; do :; done"')
    await stage.sees("esc stops")
    await stage.sees("● Bash")
    stage.enter("say steered")
    await stage.sees("queued: say steered")
    writeFileSync(join(stage.host.root, "go"), "")
    await stage.sees("↳ say steered")
    await stage.idle(1)
    expect(stage.text()).not.toContain("queued:")
  })

  test("what is queued can be taken back into the editor", async () => {
    const stage = await makeStage()
    stage.enter('run "while [ ! -e go ]; do :; done"')
    await stage.sees("● Bash")
    stage.enter("say steered")
    await stage.sees("queued: say steered")
    stage.press("alt+up")
    await stage.sees(/─\n❯ say steered\n─/)
    expect(stage.text()).not.toContain("queued:")
    stage.press("ctrl+c")
    writeFileSync(join(stage.host.root, "go"), "")
    await stage.idle(1)
    expect(stage.all().join("\n")).not.toContain("↳ say steered")
  })

  test("Esc stops and brings what is queued back", async () => {
    const stage = await makeStage()
    stage.enter('run "echo on; sleep 30"')
    await stage.sees("  on")
    stage.enter("say later")
    await stage.sees("queued: say later")
    stage.press("escape")
    await stage.sees("! Stopped.")
    await stage.sees(/─\n❯ say later\n─/)
  })
})

test("a command that was typed whole is the one that Enter runs, whatever longer ones there are", async () => {
  const stage = await makeStage()
  stage.type("/mode")
  await stage.sees("/model [provider/name]")
  stage.press("enter")
  await stage.sees("Mode yolo: changes files and runs commands without asking.")
})

test("an empty editor says what can be typed, and stops when something is", async () => {
  const stage = await makeStage()
  await stage.sees(/─\n❯ Ask anything · \/ commands · @ files · ! shell/)
  expect(stage.cursor().column).toBe(2)
  stage.type("x")
  await stage.sees(/─\n❯ x\n─/)
})
