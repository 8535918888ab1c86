// A session of Claude Code in the page: its own program answers, and what it was denied can be allowed.
import { randomUUID } from "node:crypto"
import { mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import type { SessionId } from "../../src/model/id.ts"
import { claudeProgram } from "../../src/programs/claude-code/program.ts"
import { testStore } from "../any-store.ts"
import { putClaudeSession } from "../cli/claude-session.ts"
import { CLAUDE_ANSWERS, fakeClaude } from "../programs/fake-claude.ts"
import { conversation, openPage, servePage, useBrowser } from "./page-server.ts"

const browser = useBrowser()
const DENIES = `${CLAUDE_ANSWERS}; answer("with " + JSON.stringify(settings))
  const denied = [{ tool_use_id: "c1", tool_name: "Bash", tool_input: { command: "touch <b>x</b>" } }]
  end({ permission_denials: settings.permissions === undefined ? denied : [] })`

test("what Claude Code was denied is shown, allowed with a click, and asked again", async () => {
  const { at, session } = await withClaude(DENIES)
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
  const { at, session } = await withClaude(undefined)
  const page = await browser.open(`${at.url}#token=token-of-the-test`)
  await page.evaluate(`location.hash = "#/s/${session}"`)
  await page.getByText("Claude Code is not installed here.").waitFor()
  await page.getByRole("button", { name: /copy/i }).first().waitFor()
})

test("one that Claude Code removed stays in the list as a kept copy, and can be read", async () => {
  const { at, session, store, file } = await withClaude(undefined)
  await store.foreign.keep({})
  rmSync(file)
  const page = await browser.open(`${at.url}#token=token-of-the-test`)
  await page.getByRole("link", { name: /kept copy/ }).click()
  await expect.poll(() => page.url()).toContain(session)
  await expect.poll(() => conversation(page)).toContain("you: u1 first")
  await page.getByRole("button", { name: /copy/i }).first().waitFor()
})

async function withClaude(body: string | undefined) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "retcon-page-claude-")))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const store = testStore(join(folder, "home"), join(folder, "person"), () => Date.now())
  const where = { file: "" }
  const program = () => {
    if (body === undefined) return { missing: "Claude Code is not installed here." }
    const env = { PATH: process.env.PATH, SESSION_FILE: where.file }
    return claudeProgram({ newId: randomUUID, program: fakeClaude(join(folder, "bin"), body), env })
  }
  const at = await servePage([], { store, program })
  where.file = putClaudeSession({ folder, cwd: at.root }).file
  const [listed] = await store.list({ agents: "all" })
  return { at, session: listed?.id as SessionId, store, file: where.file }
}
