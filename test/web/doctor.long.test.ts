// What the doctor says on the page: the same as `retcon doctor -s`.
import { appendFileSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Locator, Page } from "playwright-core"
import { expect, onTestFinished, test } from "vitest"
import type { SessionId } from "../../src/model/id.ts"
import { fileStore } from "../../src/store/file/file-store.ts"
import { testStore } from "../any-store.ts"
import { putClaudeSession } from "../cli/claude-session.ts"
import { openPage, said, servePage, TOKEN, useBrowser } from "./page-server.ts"

const browser = useBrowser()
const TWO = [{ text: "One." }, { text: "Two." }]

async function doctorOn(page: Page): Promise<Locator> {
  await page.getByRole("button", { name: "More" }).click()
  await page.getByRole("menuitem", { name: "Doctor" }).click()
  return page.getByRole("dialog", { name: "Doctor" })
}

test("each line is shown with what it is", async () => {
  const at = await servePage(TWO)
  const page = await openPage(browser, at, await said(at, "First", "Second"))
  const dialog = await doctorOn(page)
  await dialog.getByText("2 prompts on this branch, 2 in all.").waitFor()
  await dialog.getByText("Every line can be read.").waitFor()
  await dialog.getByRole("region", { name: "Lines" }).getByText("starts a round").first().waitFor()
})

test("a line that cannot be read is named by its number, with what that means", async () => {
  const at = await servePage(TWO)
  const id = await said(at, "First")
  const file = fileStore({ home: at.home }).fileOf(id) as string
  const lines = readFileSync(file, "utf8").trimEnd().split("\n").length
  appendFileSync(file, "not a record\n")
  const dialog = await doctorOn(await openPage(browser, at, id))
  await dialog.getByText(new RegExp(`^Line ${lines + 1}: .*retcon keeps it as it is`)).waitFor()
})

test("of another agent's file, each line has the number it has there, and why it is what it is", async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "retcon-page-doctor-")))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const store = testStore(join(folder, "home"), join(folder, "person"), () => Date.now())
  const at = await servePage([], { store, program: () => ({ missing: "Claude Code is not installed here." }) })
  const { file } = putClaudeSession({ folder, cwd: at.root })
  appendFileSync(file, "not a record\n")
  const lines = readFileSync(file, "utf8").trimEnd().split("\n")
  const [listed] = await store.list({ agents: "all" })
  const page = await browser.open(`${at.url}#token=${TOKEN}`)
  await page.evaluate(`location.hash = "#/s/${listed?.id as SessionId}"`)
  const dialog = await doctorOn(page)
  await dialog.getByText(new RegExp(`^Line ${lines.length}: `)).waitFor()
  const prompt = dialog.locator(".line", { hasText: "u2 second" }).first()
  const number = lines.findIndex((line) => line.includes("u2 second") && line.includes('"type":"user"')) + 1
  await expect.poll(() => prompt.locator(".number").textContent()).toBe(String(number))
  expect(await prompt.locator(".name").textContent()).toBe("prompt")
  expect(await prompt.locator(".why").textContent()).not.toBe("")
})
