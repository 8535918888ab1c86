import { expect, test } from "vitest"
import { pastPrompts } from "../../../src/app/library/past-prompts.ts"
import { makeTestHost } from "../../test-host.ts"

test("Ctrl+R offers a prompt with what was pasted into it: its placeholder means nothing later", async () => {
  const { open, root, home, parts } = makeTestHost()
  const { session } = await open()
  const pasted = Array.from({ length: 20 }, (_, i) => `line ${i}`).join("\n")
  await session.send({ text: `say ${pasted}`, display: "say [paste #1 +20 lines]" })
  await session.close()
  expect(await pastPrompts({ store: parts.store, home, cwd: root })).toEqual([`say ${pasted}`])
})
