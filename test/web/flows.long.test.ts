// What a person does on the page beside talking: previews, double clicks, reasons, grants, files that come back, kept copies.
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Page } from "playwright-core"
import { expect, test } from "vitest"
import { practiceModel } from "../../src/provider/practice/practice.ts"
import { bash } from "../app/talk.ts"
import { conversation, openPage, said, servePage, TOKEN, useBrowser } from "./page-server.ts"

const browser = useBrowser()
const write = (content: string) => ({ calls: [{ name: "Write", input: { path: "note.txt", content } }] })
const ROUNDS = [
  write("one\n"),
  { text: "One." },
  write("two\n"),
  { text: "Two." },
  write("three\n"),
  { text: "Three." },
]
const toast = (page: Page, text: RegExp | string) => page.getByRole("status").getByText(text)

test("the tree: hovering previews, a double click goes there, and the move is undone from its message", async () => {
  const long = `Second, with a very long explanation: ${"why ".repeat(60)}end.`
  const at = await servePage([{ text: "One." }, { text: "Two." }])
  const page = await openPage(browser, at, await said(at, "First", long))
  await page.getByText("Two.").waitFor()
  const tree = page.getByRole("complementary", { name: "Tree of branches" })
  await tree.getByRole("button", { name: /Second/ }).hover()
  await page.locator(".preview").getByText("end.").waitFor()
  await tree.getByRole("button", { name: /First/ }).dblclick()
  await toast(page, /Went there, 2 messages left behind/).waitFor()
  await expect.poll(() => conversation(page)).toEqual(["you: First", "agent: One."])
  await page.getByRole("button", { name: "Undo" }).click()
  await page.getByText("Two.").waitFor()
})

test("the time slider shows what each round changed, without moving", async () => {
  const at = await servePage(ROUNDS)
  const page = await openPage(browser, at, await said(at, "Write one", "Write two", "Write three"))
  await page.getByText("Three.").waitFor()
  await page.keyboard.press("Alt+h")
  await page.getByRole("slider", { name: "Round" }).press("ArrowLeft")
  await page.getByRole("region", { name: "Time" }).getByRole("button", { name: "Files", exact: true }).click()
  const diff = page.getByRole("region", { name: "Changes to note.txt" })
  await expect.poll(() => diff.textContent()).toContain("-one\n+two")
  expect(readFileSync(join(at.root, "note.txt"), "utf8")).toBe("three\n")
  await page.getByRole("slider", { name: "Round" }).press("Escape")
  await page.getByText("Three.").waitFor()
})

test("after Back the files can come too, and rewinding the files alone leaves the conversation", async () => {
  const at = await servePage(ROUNDS)
  const page = await openPage(browser, at, await said(at, "Write one", "Write two", "Write three"))
  const file = () => readFileSync(join(at.root, "note.txt"), "utf8")
  await page.getByText("Three.").waitFor()
  await page.keyboard.press("Alt+ArrowLeft")
  await toast(page, /Went back/).waitFor()
  expect(file()).toBe("three\n")
  await page.getByRole("button", { name: "Files too" }).click()
  await toast(page, /Files restored/)
    .first()
    .waitFor()
  expect(file()).toBe("two\n")
  await page.getByRole("button", { name: "What to do here" }).last().click()
  await page.getByRole("menuitem", { name: "Rewind here…" }).click()
  await page.getByRole("dialog").getByLabel("Files", { exact: false }).last().check()
  await page.getByText("The conversation stays where it is.").waitFor()
  await page.getByRole("button", { name: "Restore files" }).click()
  await expect.poll(file).toBe("one\n")
  await expect.poll(async () => (await conversation(page)).at(-1)).toBe("agent: Two.")
})

test("a file that the person changed since: the dry run asks what to do, and does that", async () => {
  const at = await servePage(ROUNDS)
  const page = await openPage(browser, at, await said(at, "Write one", "Write two", "Write three"))
  await page.getByText("Three.").waitFor()
  const file = join(at.root, "note.txt")
  writeFileSync(file, "mine\n")
  browser.expectErrors(/409/)
  await page.getByRole("button", { name: "What to do here" }).last().click()
  await page.getByRole("menuitem", { name: "Rewind here…" }).click()
  const dialog = page.getByRole("dialog")
  await dialog.getByLabel("Conversation and files").check()
  await dialog.getByRole("button", { name: "Put old lines back" }).click()
  await dialog.getByRole("button", { name: "Rewind" }).click()
  await toast(page, /Rewound/).waitFor()
  expect(readFileSync(file, "utf8")).toBe("two\n")
})

test("one round's file changes are taken back from its menu, and made again; the others stay", async () => {
  const at = await servePage([
    { calls: [{ name: "Write", input: { path: "first.txt", content: "one\n" } }] },
    { text: "One." },
    write("two\n"),
    { text: "Two." },
  ])
  const page = await openPage(browser, at, await said(at, "Write first", "Write note"))
  await page.getByText("Two.").waitFor()
  const there = () => ["first.txt", "note.txt"].map((name) => existsSync(join(at.root, name)))
  const first = page.getByRole("button", { name: "What to do here" }).first()
  await first.click()
  await page.getByRole("menuitem", { name: "Take back only this round's files" }).click()
  await toast(page, /This round's file changes were taken back/).waitFor()
  expect(there()).toEqual([false, true])
  await first.click()
  await page.getByRole("menuitem", { name: "Make this round's file changes again" }).click()
  await expect.poll(there).toEqual([true, true])
})

test("a grant for the session is asked for once", async () => {
  const at = await servePage(
    [{ text: "Start." }, bash("echo one > a.txt"), { text: "First." }, bash("echo one > a.txt"), { text: "Second." }],
    { mode: "default" },
  )
  const page = await openPage(browser, at, await said(at, "Hello"))
  const say = async (text: string) => {
    await page.getByLabel("Message", { exact: true }).fill(text)
    await page.keyboard.press("Enter")
  }
  await say("Do it")
  await page.getByRole("list", { name: "For this session" }).getByRole("button").first().click()
  await page.getByText("First.").waitFor()
  await say("Again")
  await page.getByText("Second.").waitFor()
  expect(await page.getByText("Allow this?").count()).toBe(0)
})

test("Back and Redo say why they cannot: without a session, and at the start", async () => {
  const at = await servePage([{ text: "One." }])
  const page = await browser.open(`${at.url}#token=${TOKEN}`)
  const back = page.getByRole("main").getByRole("button", { name: "Back" })
  await expect.poll(() => back.getAttribute("title")).toBe("No session is open.")
  await page.evaluate(`location.hash = "#/s/${await said(at, "First")}"`)
  await page.getByText("One.").waitFor()
  await expect.poll(() => back.getAttribute("title")).toBe("This is the first round: there is nothing to go back to.")
  await page.keyboard.press("Alt+ArrowLeft")
  await toast(page, "This is the first round").waitFor()
  await page.keyboard.press("Alt+ArrowRight")
  await toast(page, "There is nothing to redo").waitFor()
})

test("reasoning is folded and opens; a call opens to its diff", async () => {
  const at = await servePage([], { model: async () => practiceModel() })
  const page = await openPage(browser, at, await said(at, "think about the weather", "create note.txt with one"))
  await page.getByText("Created note.txt.").waitFor()
  const thought = page.getByRole("button", { name: "Thought about it" })
  await expect.poll(() => thought.getAttribute("aria-expanded")).toBe("false")
  await thought.press("Enter")
  await page.locator(".reasoning .markdown").getByText("weather").first().waitFor()
  await page.getByRole("button", { name: /^Write/ }).click()
  await expect.poll(() => page.getByRole("region", { name: "Changes to note.txt" }).textContent()).toContain("+one")
})
