import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { exportSession } from "../../../src/cli/tui/export-session.ts"
import { makeTestHost } from "../../test-host.ts"

test("/export writes the conversation to a file, and says that a folder is missing when it is", async () => {
  const { open, root } = makeTestHost()
  const { session } = await open()
  await session.send({ text: "say hello" })
  const file = await exportSession({ cwd: root }, session, "talk.md")
  expect(readFileSync(file, "utf8")).toContain("say hello")
  await expect(exportSession({ cwd: root }, session, "no/talk.md")).rejects.toMatchObject({
    failure: { code: "not-found", what: "folder", name: join(root, "no") },
  })
})
