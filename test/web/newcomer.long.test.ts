// A person with sessions of Claude Code and no hooks rewinds with files on the page: they are told what is not known before they
// choose and afterwards, and how to know it.
import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { loadAgentCopies } from "../../src/app/open/load-agent-copies.ts"
import { testStore } from "../any-store.ts"
import { putRecorded } from "../cli/recorded-claude.ts"
import { servePage, TOKEN, useBrowser } from "./page-server.ts"

const browser = useBrowser()

test("what shell commands changed is said to stay, before the choice and after it", async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "retcon-newcomer-")))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const store = testStore(join(folder, "home"), join(folder, "person"), () => Date.now())
  const at = await servePage([], { store, earlier: loadAgentCopies })
  putRecorded({ home: join(folder, "person"), cwd: at.root, version: "v197" })
  const [listed] = await store.list({ agents: "all" })
  const page = await browser.open(`${at.url}#token=${TOKEN}`, { viewport: { width: 1280, height: 2000 } })
  await page.evaluate(`location.hash = "#/s/${listed?.id}"`)
  // The edit: two commands and a sub-agent ran since. Its own change is known, as the session's file tells it.
  const message = page.locator("article", { hasText: 'TOOL Edit {"file_path"' }).first()
  await message.scrollIntoViewIfNeeded()
  await message.getByRole("button", { name: "What to do here" }).click()
  await page.getByRole("menuitem", { name: "Rewind here…" }).click()
  const dialog = page.getByRole("dialog")
  // Before it is chosen.
  await dialog.getByText("1 file comes back; what 2 shell commands and 1 sub-agent changed stays.").first().waitFor()
  await dialog.getByLabel("Conversation and files").check()
  await dialog.getByText("2 shell commands and 1 sub-agent ran in 2 rounds without snapshots").waitFor()
  await dialog.getByText("retcon hooks install claude-code").waitFor()
  expect(await dialog.textContent()).not.toContain("as they were then")
  await dialog.getByRole("button", { name: "Rewind", exact: true }).click()
  // After it.
  await page
    .getByRole("status")
    .getByText(/2 shell commands and 1 sub-agent ran in 2 rounds without snapshots/)
    .waitFor()
  expect(readFileSync(join(at.root, "new.txt"), "utf8")).toBe("one\ntwo\n")
})
