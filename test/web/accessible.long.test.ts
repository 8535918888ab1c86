// The main views by axe's rules, in both themes and on a phone.
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import type { Page } from "playwright-core"
import { expect, test } from "vitest"
import { bash } from "../app/talk.ts"
import { openPage, said, servePage, TOKEN, useBrowser } from "./page-server.ts"

const browser = useBrowser()
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

interface Violation {
  id: string
  impact: string
  nodes: { html: string; failureSummary: string }[]
}

async function serious(page: Page): Promise<string[]> {
  await page.evaluate(axe)
  const { violations } = (await page.evaluate("axe.run(document)")) as { violations: Violation[] }
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`))
}

const ANSWERS = [
  { text: "I will look.\n\n```ts\nconst a = 1 // one\n```\n\n> quoted [link](https://example.com)", ...bash("ls -la") },
  { text: "Done: **all** of it." },
  { text: "And more." },
]

const LOOKS = [
  ["light", { colorScheme: "light" as const }],
  ["dark", { colorScheme: "dark" as const }],
  ["on a phone", { colorScheme: "light" as const, viewport: { width: 390, height: 780 } }],
] as const

/** Both themes, and both widths. */
const BOTH = LOOKS.slice(1)

test.each(LOOKS)("nothing serious: %s", async (_, options) => {
  const at = await servePage(ANSWERS)
  const page = await openPage(browser, at, await said(at, "First", "Second"), options)
  await page.getByText("And more.").waitFor()
  await page.locator(".hljs-keyword").waitFor()
  await page.getByRole("button", { name: /^Bash/ }).click()
  expect(await serious(page)).toEqual([])
  await page.keyboard.press("Alt+ArrowLeft")
  await page.getByRole("button", { name: "Undo" }).waitFor()
  await page.keyboard.press("Alt+h")
  await page.getByRole("slider", { name: "Round" }).waitFor()
  expect(await serious(page)).toEqual([])
  await page.keyboard.press("Alt+k")
  await page.getByRole("dialog").waitFor()
  expect(await serious(page)).toEqual([])
})

test.each(BOTH)("nothing serious in the dialogs: %s", async (_, options) => {
  const at = await servePage(ANSWERS)
  const page = await openPage(browser, at, await said(at, "First", "Second"), options)
  await page.getByText("And more.").waitFor()
  const dialog = page.getByRole("dialog")
  const inside = async () => {
    await dialog.waitFor()
    const found = await serious(page)
    await page.keyboard.press("Escape")
    await dialog.waitFor({ state: "detached" })
    return found
  }
  for (const item of ["Rewind here…", "Label…"]) {
    await page.getByRole("button", { name: "What to do here" }).last().click()
    expect(await serious(page)).toEqual([])
    await page.getByRole("menuitem", { name: item }).click()
    expect(await inside()).toEqual([])
  }
  await page.getByRole("button", { name: "More" }).click()
  await page.getByRole("menuitem", { name: "Doctor" }).click()
  await dialog.getByText("Every line can be read.").waitFor()
  expect(await inside()).toEqual([])
  await page.keyboard.press("Alt+n")
  expect(await inside()).toEqual([])
  const tree = page.getByRole("complementary", { name: "Tree of branches" })
  if ("viewport" in options) await page.keyboard.press("Alt+t")
  await tree.getByRole("button", { name: /First/ }).focus()
  await page.keyboard.press("c")
  await dialog.getByText(/^Your branch continues “\w+”\.$/).waitFor()
  expect(await inside()).toEqual([])
})

test.each(BOTH)("nothing serious in a question, in the list and before anything is open: %s", async (_, options) => {
  const at = await servePage([{ text: "Start." }, bash("rm -rf build && npm run build")], { mode: "default" })
  const id = await said(at, "Hello")
  const page = await browser.open(`${at.url}#token=${TOKEN}`, options)
  await page.getByRole("link", { name: /Hello/ }).waitFor()
  expect(await serious(page)).toEqual([])
  await page.getByLabel("Search sessions").fill("nothing has this")
  await page.getByText(/No session matches|Searching the conversations/).waitFor()
  expect(await serious(page)).toEqual([])
  await page.evaluate(`location.hash = "#/s/${id}"`)
  await page.getByLabel("Message", { exact: true }).fill("Go")
  await page.keyboard.press("Enter")
  await page.getByText("Allow this?").waitFor()
  expect(await serious(page)).toEqual([])
  await page.getByRole("button", { name: "No, because…" }).click()
  expect(await serious(page)).toEqual([])
})

test("by keys alone: the order of the focus goes from the list to the buttons, the conversation and the message", async () => {
  const at = await servePage(ANSWERS)
  const page = await openPage(browser, at, await said(at, "First"))
  await page.getByText("Done: all of it.").waitFor()
  await page.keyboard.press("Alt+s")
  await page.getByLabel("Search sessions").and(page.locator(":focus")).waitFor()
  const order: string[] = []
  for (let press = 0; press < 30; press++) {
    const name = await page.evaluate<string>(
      `document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent.trim()`,
    )
    if (STOPS.includes(name) && order.at(-1) !== name) order.push(name)
    if (name === "Send" || name === "Attach files") break
    await page.keyboard.press("Tab")
  }
  expect(order).toEqual(STOPS)
})

const STOPS = ["Search sessions", "Back", "Redo", "Time", "Tree", "More", "Conversation", "What to do here", "Message"]
