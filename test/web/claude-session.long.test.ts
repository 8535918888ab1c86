// A session of Claude Code in the page: its own program answers, and what it was denied can be allowed.
import { rmSync } from "node:fs"
import { expect, test } from "vitest"
import type { SessionId } from "../../src/model/id.ts"
import { withClaude } from "../app/claude-host.ts"
import { CLAUDE_ANSWERS, CLAUDE_RECORDS } from "../programs/fake-claude.ts"
import { conversation, openPage, servePage, useBrowser } from "./page-server.ts"

const browser = useBrowser()
const DENIES = `${CLAUDE_ANSWERS}; answer("with " + JSON.stringify(settings))
  const denied = [{ tool_use_id: "c1", tool_name: "Bash", tool_input: { command: "touch <b>x</b>" } }]
  end({ permission_denials: settings.permissions === undefined ? denied : [] })`

test("what Claude Code was denied is shown, allowed with a click, and asked again", async () => {
  const { at, session } = await inPage(DENIES)
  const page = await openPage(browser, at, session)
  const message = page.getByLabel("Message", { exact: true })
  await message.fill("make x")
  await message.press("Enter")
  const denied = page.getByRole("region", { name: "Not allowed" })
  await denied.getByText("touch <b>x</b>").waitFor()
  await denied.getByRole("button", { name: "Allow from the next turn on" }).click()
  await denied.waitFor({ state: "detached" })
  await message.fill("again")
  await message.press("Enter")
  await page.getByText('with {"permissions":{"allow":["Bash(touch <b>x</b>)"]}}').waitFor()
  await page.getByRole("button", { name: "Stop" }).waitFor({ state: "detached" })
  expect(await denied.count()).toBe(0)
})

test("without its program the page says so and offers a copy", async () => {
  const { at, session } = await inPage(undefined)
  const page = await browser.open(`${at.url}#token=token-of-the-test`)
  await page.evaluate(`location.hash = "#/s/${session}"`)
  await page.getByText("Claude Code is not installed here.").waitFor()
  await page.getByRole("button", { name: /copy/i }).first().waitFor()
})

test("a new session with Claude Code begins in the page; its mode is chosen, and its commands are offered while one types", async () => {
  const { at } = await inPage(`${CLAUDE_RECORDS}; answer("I heard " + prompt); end()`)
  const page = await browser.open(`${at.url}#token=token-of-the-test`)
  await page.keyboard.press("Alt+n")
  const dialog = page.getByRole("dialog", { name: "New session" })
  await dialog.getByLabel("Folder it works in").fill(at.root)
  await dialog.getByLabel("With").selectOption("claude-code")
  const create = dialog.getByRole("button", { name: "Create" })
  expect(await create.isDisabled()).toBe(true)
  await dialog.getByLabel("First message to Claude Code").fill("first of all")
  await create.click()
  await page.getByText("I heard first of all").waitFor()
  await page.getByRole("button", { name: "More" }).click()
  await page.getByRole("menuitem", { name: "Model and mode…" }).click()
  await page.getByLabel("Mode", { exact: true }).selectOption("plan")
  await page.getByText("mode plan").waitFor()
  await page.keyboard.press("Escape")
  const message = page.getByLabel("Message", { exact: true })
  await message.fill("/rev")
  await page.getByRole("list", { name: "Commands" }).getByText("Review it").waitFor()
  await message.press("Tab")
  await expect.poll(() => message.inputValue()).toBe("/review ")
  await message.press("Enter")
  await page.getByText("I heard /review").waitFor()
})

test("one that Claude Code removed stays in the list as a kept copy, and can be read", async () => {
  const { at, session, store, file } = await inPage(undefined)
  await store.foreign.keep({})
  rmSync(file)
  const page = await browser.open(`${at.url}#token=token-of-the-test`)
  await page.getByRole("link", { name: /kept copy/ }).click()
  await expect.poll(() => page.url()).toContain(session)
  await expect.poll(() => conversation(page)).toContain("you: u1 first")
  await page.getByRole("button", { name: /copy/i }).first().waitFor()
})

async function inPage(body: string | undefined) {
  const { deps, put, path } = withClaude(body)
  const at = await servePage([], { ...deps, path })
  const file = put(at.root)
  const [listed] = await deps.store.list({ agents: "all" })
  return { at, session: listed?.id as SessionId, store: deps.store, file }
}
