// docs/terminal.md says what there is.
import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { COMMANDS } from "../../src/tui/commands/commands.ts"
import { KEY_ACTIONS, KEYS } from "../../src/tui/terminal/key-map.ts"

const page = readFileSync("docs/terminal.md", "utf8")

test.each(COMMANDS.map(({ name }) => name))("/%s is in the docs", (name) => {
  expect(page).toMatch(new RegExp(`/${name}\\b`))
})

test.each(KEY_ACTIONS)("the key for %s is in the docs, with its default", (action) => {
  const { keys, about } = KEYS[action]
  const rows = page.split("\n").map((line) => line.replace(/ +/g, " "))
  expect(rows).toContain(`| \`${action}\` | \`${keys[0]}\` | ${about} |`)
})
