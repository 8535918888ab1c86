// An answer as it streams: nothing is lost between the screen and the scrollback, also in long code and lists.
import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { markdownLines } from "../../src/tui/conversation/markdown.ts"
import { textBlock } from "../../src/tui/conversation/text-block.ts"
import { makeTheme } from "../../src/tui/terminal/theme.ts"

const theme = makeTheme({ colours: false })

/** What settled before the end, and all of it. */
function streamed(text: string, sizes: readonly number[], width = 40): { early: string[]; all: string[] } {
  const block = textBlock(theme)
  const early: string[] = []
  for (let at = 0, i = 0; at < text.length; i++) {
    const size = sizes[i % sizes.length] ?? 1
    block.append(text.slice(at, at + size))
    at += size
    early.push(...block.settle(width))
    block.live(width)
  }
  block.finish()
  return { early, all: [...early, ...block.settle(width)] }
}

/** What models write, whole and well formed. */
const part = fc.constantFrom(
  "text",
  "more text that is longer than the width of the screen",
  "# Heading",
  "**bold** and `code`",
  "- one\n- two words",
  "- top\n  - below\n    - deeper\n- next",
  "1. first\n2. second\n   - under\n3. third",
  "- loose\n\n- list\n\n  with a text of its own",
  "1. all\n1. are\n1. ones",
  "* stars\n* too",
  "```ts\nconst x = 1\n\n  - no item\n```",
  "- run:\n  ```sh\n  echo 1\n  echo 2\n  ```\n- done",
  "~~~\n```\n~~~",
)

describe("an answer that streams", () => {
  test.each([
    ["a code block", ["```ts", ...Array.from({ length: 80 }, (_, i) => `const x${i} = ${i}`), "```"]],
    ["a list", Array.from({ length: 80 }, (_, i) => `- item ${i}`)],
    ["a numbered list", Array.from({ length: 80 }, (_, i) => `${i + 1}. item`)],
    ["a list below an item", ["- top", ...Array.from({ length: 80 }, (_, i) => `  - item ${i}`)]],
    ["code in an item", ["1. run", "   ```sh", ...Array.from({ length: 80 }, (_, i) => `   echo ${i}`), "   ```"]],
  ])("%s that is long goes to the scrollback line by line", (_, lines) => {
    const text = lines.join("\n")
    const { early, all } = streamed(text, [7])
    expect(all).toEqual(markdownLines(text, 40, theme))
    // What may still change, and is drawn live, is a few lines.
    expect(early.length).toBeGreaterThan(all.length - 10)
  })

  test("a long table goes to the scrollback row by row, and looks as it would at once except for room in its columns", () => {
    const rows = Array.from({ length: 40 }, (_, i) => `| ${i} | - **row** ${i % 3 === 0 ? "and more" : ""} | a\\|b |`)
    const text = ["Before:", "", "| n | what | `code` |", "|---|:---:|---|", ...rows, "", "After."].join("\n")
    const { early, all } = streamed(text, [7])
    const bare = (lines: string[]) => lines.map((line) => line.replace(/ +(?=│)/g, " ").replaceAll(/─+/g, "─"))
    expect(bare(all)).toEqual(bare(markdownLines(text, 40, theme)))
    expect(early.length).toBeGreaterThan(all.length - 10)
  })

  test("a cell that is longer than those before it is broken into its column", () => {
    const rows = Array.from(
      { length: 20 },
      (_, i) => `| ${i} | ${i === 15 ? "much longer than all before" : "short"} |`,
    )
    const { all } = streamed(["| n | what |", "|---|---|", ...rows].join("\n"), [5])
    expect(all.slice(-14, -8)).toMatchInlineSnapshot(`
      [
        "├────────┼────────────┤",
        "│ 15     │ much       │",
        "│        │ longer     │",
        "│        │ than all   │",
        "│        │ before     │",
        "├────────┼────────────┤",
      ]
    `)
    expect(new Set(all.map((line) => line.length)).size).toBe(1)
  })

  test("what follows a long table is drawn as usual", () => {
    const table = ["| a | b |", "|---|---|", ...Array.from({ length: 12 }, (_, i) => `| ${i} | x |`)].join("\n")
    const text = `${table}\n\n- one\n- two\n\n${table}\nnot a row`
    const words = streamed(text, [3]).all.filter((line) => !/^[┌├└│]/.test(line))
    expect(words).toEqual(["", "- one", "- two", "", "", "not a row"])
  })

  test("whatever streams in whatever pieces is what it would be at once", () => {
    const texts = fc.array(fc.tuple(part, fc.constantFrom("\n\n", "\n")), { minLength: 1, maxLength: 8 })
    const sizes = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(texts, sizes, (parts, pieces) => {
        const text = parts.flat().join("")
        const said = (all: string[]) => all.filter((each) => each.trim() !== "")
        expect(said(streamed(text, pieces).all)).toEqual(said(markdownLines(text, 40, theme)))
      }),
      { seed: 7, numRuns: 300 },
    )
  })
})
