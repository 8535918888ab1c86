// The sessions of one folder, whatever name their agent has for it.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { testStore } from "../any-store.ts"

test("a session that was started by way of a link belongs to the folder that the link leads to", async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "retcon-folder-")))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const [work, link, other] = ["work", "link", "other"].map((name) => join(folder, name)) as [string, string, string]
  const sessions = join(folder, "person/.pi/agent/sessions/--work--")
  for (const path of [work, other, sessions]) mkdirSync(path, { recursive: true })
  symlinkSync(work, link)
  const begin = (title: string, cwd: string, n: number) => {
    const id = `00000000-0000-7000-8000-00000000000${n}`
    const header = { type: "session", version: 3, id, timestamp: "2026-01-01T00:00:00.000Z", cwd }
    const named = { type: "session_info", id: "00000001", parentId: null, name: title }
    writeFileSync(
      join(sessions, `2026-01-01T00-00-00-000Z_${id}.jsonl`),
      `${JSON.stringify(header)}\n${JSON.stringify(named)}\n`,
    )
  }
  begin("by its name", work, 1)
  begin("by a link", link, 2)
  begin("elsewhere", other, 3)
  begin("in a folder that is gone", join(folder, "gone"), 4)
  const { foreign } = testStore(join(folder, "home"), join(folder, "person"), () => Date.now())
  const titles = async (cwd: string) => (await foreign.list({ cwd })).map(({ title }) => title).sort()
  expect(await titles(work)).toEqual(["by a link", "by its name"])
  expect(await titles(other)).toEqual(["elsewhere"])
})
