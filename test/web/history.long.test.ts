// What all sessions took, and what they changed, on the page: the same as `retcon usage` and `retcon edits`.
import { appendFileSync, mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Locator, Page } from "playwright-core"
import { expect, onTestFinished, test } from "vitest"
import type { SessionId } from "../../src/model/id.ts"
import { testStore } from "../any-store.ts"
import { CLAUDE_NAME, putClaudeSession } from "../cli/claude-session.ts"
import { servePage, TOKEN, useBrowser } from "./page-server.ts"

const browser = useBrowser()

/** A session of Claude Code that took a request and changed a file just now. */
async function openedPage(): Promise<Page> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "retcon-page-history-")))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const store = testStore(join(folder, "home"), join(folder, "person"), () => Date.now())
  const at = await servePage([], { store, program: () => ({ missing: "Claude Code is not installed here." }) })
  const { file } = putClaudeSession({ folder, cwd: at.root })
  const input = { file_path: join(at.root, "cart.ts"), old_string: "one", new_string: "two" }
  const result = { type: "tool_result", tool_use_id: "toolu_9", content: "done" }
  const usage = { input_tokens: 1000, output_tokens: 2_000_000 }
  const rows = [
    { type: "user", message: { role: "user", content: "Change the cart" } },
    {
      type: "assistant",
      message: {
        id: "msg_9",
        role: "assistant",
        model: "claude-sonnet-5",
        content: [{ type: "tool_use", id: "toolu_9", name: "Edit", input }],
        usage,
      },
    },
    { type: "user", message: { role: "user", content: [result] } },
  ]
  const id = (n: number) => `99999999-0000-4000-8000-00000000000${n}`
  for (const [n, row] of rows.entries()) {
    const tree = { uuid: id(n), parentUuid: n === 0 ? null : id(n - 1), isSidechain: false }
    const timestamp = new Date().toISOString()
    const line = { ...row, ...tree, sessionId: CLAUDE_NAME, cwd: at.root, version: "2.1.325", timestamp }
    appendFileSync(file, `${JSON.stringify(line)}\n`)
  }
  const [listed] = await store.list({ agents: "all" })
  const page = await browser.open(`${at.url}#token=${TOKEN}`)
  await page.evaluate(`location.hash = "#/s/${listed?.id as SessionId}"`)
  return page
}

async function choose(page: Page, name: string): Promise<Locator> {
  await page.getByRole("button", { name: "More" }).click()
  await page.getByRole("menuitem", { name }).click()
  return page.getByRole("dialog", { name })
}

test("the sums of today, the bars of the days, and a table by model, agent or project", async () => {
  const dialog = await choose(await openedPage(), "Usage")
  await dialog.getByRole("img", { name: "Money per day in the last 30 days" }).waitFor()
  expect(await dialog.locator(".spans li").first().textContent()).toMatch(/^Today \$20\.0\d 2\.0M tokens$/)
  const row = dialog.locator("tbody tr", { hasText: "claude-sonnet-5" })
  await row.getByText("2.0M", { exact: true }).first().waitFor()
  await dialog.getByRole("button", { name: "By agent" }).click()
  await dialog.locator("tbody tr", { hasText: "Claude Code" }).waitFor()
})

test("a change is listed with its prompt, shows its diff, and leads to its round", async () => {
  const page = await openedPage()
  const dialog = await choose(page, "Edits")
  await dialog.getByRole("button", { name: /cart\.ts/ }).click()
  await dialog.getByText("+two").waitFor()
  await dialog.getByRole("link", { name: "Change the cart" }).click()
  await dialog.waitFor({ state: "hidden" })
  await page.locator("main").getByText("Change the cart").first().waitFor()
})
