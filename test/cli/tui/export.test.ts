import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { exportMarkdown } from "../../../src/cli/tui/export-markdown.ts"
import { makeTestHost } from "../../test-host.ts"

test("/export writes the conversation to a file, and says that a folder is missing when it is", async () => {
  const { open, root } = makeTestHost()
  const { session } = await open()
  await session.send({ text: "say hello" })
  const machine = { cwd: root, home: root, env: {} }
  const file = join(root, "talk.md")
  expect(await exportMarkdown(machine, session, "talk.md")).toBe(`Written to ${file}`)
  expect(readFileSync(file, "utf8")).toContain("say hello")
  await expect(exportMarkdown(machine, session, "no/talk.md")).rejects.toMatchObject({
    failure: { code: "not-found", what: "folder", name: join(root, "no") },
  })
})

test("/export replaces secrets as the command line does, and says so", async () => {
  const { open, root } = makeTestHost()
  const { session } = await open()
  const token = `ghp_${"a1B2".repeat(9)}`
  writeFileSync(join(session.cwd, ".env"), "DB_PASSWORD=three-blind-mice\n")
  await session.send({ text: `use ${token} and three-blind-mice in ${root}/x` })
  const said = await exportMarkdown({ cwd: root, home: root, env: { HOME: root } }, session, "talk.md")
  expect(said).toBe(
    `Written to ${join(root, "talk.md")}\nSecrets were replaced: 1 GitHub token, 1 value of DB_PASSWORD.`,
  )
  const text = readFileSync(join(root, "talk.md"), "utf8")
  expect(text).toContain("use [secret 1: GitHub token] and [secret 2: value of DB_PASSWORD] in ~/x")
  expect(text).not.toMatch(/a1B2|three-blind/)
})
