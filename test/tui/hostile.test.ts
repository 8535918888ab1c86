// History is hostile input: whatever a session holds, what reaches the terminal is styles and the cursor moves we make.
import { describe, expect, test } from "vitest"
import type { Model } from "../../src/provider/port/port.ts"
import { practiceModel } from "../../src/provider/practice/practice.ts"
import { ESC } from "../../src/tui/terminal/port.ts"
import { makeHeadless } from "./headless.ts"
import { makeStage } from "./stage.ts"

const CORPUS = {
  "moves the cursor": "\u001b[1;1HGONE",
  "clears the screen": "\u001b[2J\u001b[3JGONE",
  "sets the title": "\u001b]0;owned\u0007",
  "writes the clipboard": "\u001b]52;c;b3duZWQ=\u0007",
  "makes a link": "\u001b]8;;http://evil.example\u0007click\u001b]8;;\u0007",
  "ends with ST": "\u001b]0;owned\u001b\\",
  "in eight bits": "\u009b2J\u009d0;owned\u009c",
  "device control": "\u001bP$qm\u001b\\",
  "asks the terminal": "\u001b[6n\u001b[c\u001b]11;?\u0007",
  "alternate screen": "\u001b[?1049h",
  "a carriage return": "harmless\rrm -rf /",
  backspaces: "safe\b\b\b\bevil",
  "turns the text": "\u202egnp.exe",
  "as an entity": "&#27;]0;owned&#7; &#x1b;[2J",
  "in code": "```sh\n\u001b]0;owned\u0007\n```",
  "in a link of Markdown": "[text](http://a\u001b]0;owned\u0007b)",
  "in a table": "| a | b |\n|---|---|\n| \u001b[2J | \u001b]0;owned\u0007 |",
  "cut in half": "\u001b]0;ow",
  nested: "\u001b\u001b]0;owned\u0007[2J",
} as const

/** What the program itself may write: its frames, its cursor, its styles. */
const OWN_SEQUENCES = [
  "\\?(?:2026|25|1049)[hl]",
  "\\d*[ABG]",
  "2K",
  "J",
  "6n",
  `H${ESC}\\[2J`,
  "\\d+;1H",
  "[0-9;]*m",
  "2[23];2t",
]
/** The folder's name, and nothing of the session. */
const TITLE = `${ESC}\\]2;(?:● )?work · retcon\u0007`
const OWN = new RegExp([...OWN_SEQUENCES.map((sequence) => `${ESC}\\[${sequence}`), TITLE, "\r\n", "\r"].join("|"), "g")

function foreign(written: string): string[] {
  return [...written.replace(OWN, "").matchAll(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu)].map(([sign]) =>
    JSON.stringify(sign),
  )
}

/** Streams a text, character by character. */
function speaking(text: string): Model {
  return {
    ...practiceModel(),
    async *step() {
      yield { type: "reasoning-delta", text }
      yield { type: "reasoning-end" }
      for (const character of text) yield { type: "text-delta", text: character }
      yield { type: "text-end" }
      yield { type: "finish", reason: "stop", content: [{ type: "text", text: `${text}\n\nEND` }], usage: {} }
    },
  }
}

describe("escape sequences of a session", () => {
  for (const [what, text] of Object.entries(CORPUS)) {
    test(`${what}: said by the model, as it streams and when it is resumed`, async () => {
      const stage = await makeStage({ host: { model: async () => speaking(text) } })
      stage.enter("go")
      await stage.idle(1)
      stage.press("ctrl+d")
      await stage.ended
      const again = await makeStage({ with: stage.host, parts: { start: { kind: "continue" } } })
      await again.sees("END")
      expect(foreign(stage.written() + again.written())).toEqual([])
      expect([stage.title(), again.title()]).toEqual(["work · retcon", "work · retcon"])
    })
  }

  test("in the output of a tool, a file name, a title and a label", async () => {
    const all = Object.values(CORPUS).join("\n")
    const stage = await makeStage({ rows: 50 })
    stage.enter(
      `run ${JSON.stringify(`printf '\\033]0;owned\\007\\033[2J\\033[1;1HGONE\\n'; seq 20; touch "$(printf 'a\\033]0;owned\\007b')"`)}`,
    )
    await stage.idle(1)
    const { session } = await stage.host.open()
    await session.close()
    const { sessions: listed } = await stage.host.host.list()
    const own = await stage.host.host.open(listed.at(-1)?.id as never)
    await own.title(all)
    await own.label("head", "evil\u001b]0;owned\u0007".replace(/\p{Cc}/gu, "x"))
    await own.close()
    stage.press("escape", "escape")
    await stage.sees("go back to it")
    stage.press("escape")
    stage.enter("/tree")
    stage.press("escape")
    stage.press("ctrl+o")
    await stage.sees("Details")
    expect(foreign(stage.written())).toEqual([])
    expect(stage.title()).toBe("work · retcon")
  })

  test("pasted into the editor they are only text", async () => {
    const stage = await makeStage()
    stage.send(`\u001b[200~a\u001b]0;owned\u0007b\u001b[2J\u001b[201~`)
    stage.type("!")
    await stage.sees("!")
    expect(foreign(stage.written())).toEqual([])
  })

  test("the corpus itself would do harm", async () => {
    const naked = makeHeadless()
    naked.terminal.write(CORPUS["sets the title"])
    await naked.until(() => naked.title() === "owned")
  })
})
