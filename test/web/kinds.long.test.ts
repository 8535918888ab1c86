// What a conversation holds besides words: notes of backtracks, sub-agents, compactions, sessions of other agents.
import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { practiceModel } from "../../src/provider/practice/practice.ts"
import { testStore } from "../any-store.ts"
import { putClaudeSession } from "../cli/claude-session.ts"
import { conversation, openPage, said, servePage, TOKEN, useBrowser } from "./page-server.ts"

const browser = useBrowser()
const practice = { model: async () => practiceModel() }

test("a backtrack leaves a note, from which you can look at what was left", async () => {
  const at = await servePage([], practice)
  const page = await openPage(browser, at, await said(at, "create a.txt with one", "explore 2 files"))
  const note = page.getByRole("region", { name: "The agent went back" })
  await note.getByText(/messages? left behind, nothing is lost/).waitFor()
  await note.getByRole("button", { name: "View them" }).click()
  await page.getByText("This is a preview. Nothing has moved.").waitFor()
  await note.waitFor({ state: "detached" })
})

test("prompts that the agent went back past are folded into its note, and Back returns to the last of them", async () => {
  const backtrack = { calls: [{ name: "Backtrack", input: { checkpoint_id: 0, note: "Only b.ts matters." } }] }
  const at = await servePage([{ text: "answer 1" }, { text: "answer 2" }, backtrack, { text: "answer 3" }])
  const page = await openPage(browser, at, await said(at, "first thing", "second thing", "third thing"))
  const note = page.getByRole("region", { name: "The agent went back" })
  await note.getByText("2 prompts of yours, left by the agent's Backtrack").click()
  await note.getByText("third thing").waitFor()
  await note.getByRole("listitem").filter({ hasText: "second thing" }).getByRole("button", { name: "View it" }).click()
  await page.getByText("This is a preview. Nothing has moved.").waitFor()
  await page.getByRole("button", { name: "Close the preview" }).click()
  await note.waitFor()
  await page.getByRole("main").getByRole("button", { name: "Back", exact: true }).click()
  await page.getByText("The agent's Backtrack had left this prompt behind.").waitFor()
  await note.waitFor({ state: "detached" })
  await page.getByRole("article", { name: "Agent" }).getByText("answer 2").waitFor()
})

test("a sub-agent is a card that opens its session, and the browser's Back returns", async () => {
  const at = await servePage([], practice)
  const id = await said(at, "delegate: say the sub-agent was here")
  const page = await openPage(browser, at, id)
  await page.getByRole("link", { name: /^Sub-agent/ }).click()
  await page.waitForFunction(`!location.hash.includes("${id}")`)
  await page.getByRole("article", { name: "Agent" }).getByText("the sub-agent was here").first().waitFor()
  await page.goBack()
  await page.getByRole("link", { name: /^Sub-agent/ }).waitFor()
})

test("a compaction hides what it replaced, and unfolds into it", async () => {
  const at = await servePage([], practice)
  const id = await said(at, "say one", "say two", "say three", "say four")
  const session = await at.host.open(id)
  expect(await session.compact()).toMatchObject({ outcome: "compacted" })
  await session.close()
  const page = await openPage(browser, at, id)
  const compaction = page.getByRole("region", { name: "Compaction" })
  await compaction.getByRole("button", { name: /^Show \d+ messages that it replaced/ }).click()
  await page.getByRole("article", { name: "You" }).getByText("say one").waitFor()
  await expect.poll(async () => (await conversation(page)).filter((line) => line.startsWith("you:"))).toHaveLength(4)
  await page.getByRole("button", { name: "Hide what it replaced" }).click()
  await page.getByRole("article", { name: "You" }).getByText("say one").waitFor({ state: "detached" })
  await compaction.getByRole("button", { name: "What the model reads instead" }).click()
})

test("another agent's session is read and moved in; to continue it there is a copy", async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "retcon-theirs-")))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const at = await servePage([{ text: "Our answer." }], {
    store: testStore(join(folder, "home"), join(folder, "person"), () => Date.now()),
    program: () => ({ missing: "Claude Code is not installed here." }),
  })
  const { file, registry } = putClaudeSession({ folder, cwd: at.root })
  // Nothing tells whether Claude Code has it open: the move is refused until the person says so.
  rmSync(registry, { recursive: true })
  browser.expectErrors(/409/)
  const before = readFileSync(file, "utf8")
  const page = await browser.open(`${at.url}#token=${TOKEN}`)
  await page.getByRole("link", { name: /Claude Code/ }).click()
  await page.getByText("Claude Code is not installed here.").waitFor()
  await expect.poll(() => conversation(page)).toHaveLength(6)
  await page.keyboard.press("Alt+ArrowLeft")
  await page.getByRole("button", { name: "It is closed there" }).click()
  await page.getByText(/Went back one round/).waitFor()
  await expect.poll(() => conversation(page)).toHaveLength(4)
  expect(readFileSync(file, "utf8").startsWith(before)).toBe(true)
  await page.getByRole("button", { name: "Work on a copy" }).click()
  await page.getByLabel("Message", { exact: true }).fill("Go on here")
  await page.keyboard.press("Enter")
  await page.getByText("Our answer.").waitFor()
})
