// Back while the agent is at work, on the page: each moment of the table, by the key and by two pages at once.
import type { Page, Route } from "playwright-core"
import { expect, test } from "vitest"
import { MID_STREAM, type MidStream, midStreamAnswers } from "../app/mid-stream.ts"
import { conversation, openPage, type ServedPage, said, servePage, useBrowser } from "./page-server.ts"

const browser = useBrowser()

test.each(MID_STREAM)("back $name", async (row) => {
  const at = await servePage(midStreamAnswers(row), { mode: row.asks ? "default" : "yolo", backtrack: false })
  if (row.told.some((each) => "code" in each) || row.clients > 1) browser.expectErrors(/400|409/)
  const { pages, sent } = await standIn(at, row)
  await goBackAtOnce(pages)
  // The second page shows what is no longer there when it asks, so it is asked again.
  const after = row.clients > 1 ? row.before : row.after
  for (const page of pages) {
    await expect.poll(() => prompts(page)).toEqual(after)
    if (after.includes("go")) continue
    // What was pending went, and nothing of it comes late.
    await page.getByRole("button", { name: "Stop" }).waitFor({ state: "detached" })
    await expect.poll(() => pending(page)).toEqual([])
    const said = after.flatMap((text) => [`you: ${text}`, `agent: Answer to ${text}.`])
    await expect.poll(() => conversation(page)).toEqual(said)
  }
  if (after.includes("go")) await goesOn(pages, row)
  else await continues(pages)
  await sent
})

/** By the key; two people by their buttons. All of them ask before any of them is answered. */
async function goBackAtOnce(pages: Page[]): Promise<void> {
  const [first] = pages as [Page]
  if (pages.length === 1) return first.keyboard.press("Alt+ArrowLeft")
  const asked: Route[] = []
  for (const page of pages) await page.route("**/back", (route) => void asked.push(route))
  await Promise.all(pages.map((page) => page.getByRole("button", { name: "Back" }).click()))
  await expect.poll(() => asked.length).toBe(pages.length)
  for (const route of asked) await route.continue()
}

const LATER = MID_STREAM.filter(({ clients, told }) => clients === 1 && told.every((each) => "prompt" in each))

test.each(LATER)("what was pending is gone before the server is asked: $name", async (row) => {
  const at = await servePage(midStreamAnswers(row), { mode: row.asks ? "default" : "yolo", backtrack: false })
  const { pages, sent } = await standIn(at, row)
  const [page] = pages as [Page]
  const asked: Route[] = []
  await page.route("**/back", (route) => void asked.push(route))
  await page.keyboard.press("Alt+ArrowLeft")
  await expect.poll(() => asked.length).toBe(1)
  await expect.poll(() => pending(page)).toEqual(["Working…"])
  await asked[0]?.continue()
  await page.getByRole("button", { name: "Stop" }).waitFor({ state: "detached" })
  await expect.poll(() => pending(page)).toEqual([])
  await sent
})

/** The pages, once the moment has come on each of them. */
async function standIn(at: ServedPage, row: MidStream): Promise<{ pages: Page[]; sent: Promise<unknown> }> {
  const id = await said(at, ...row.before)
  const pages = await Promise.all(Array.from({ length: row.clients }, () => openPage(browser, at, id)))
  const session = await at.host.open(id)
  const come = new Promise<void>((done) => session.on(({ event }) => row.comes(event) && done()))
  const [first] = pages as [Page]
  await first.getByLabel("Message", { exact: true }).fill("go")
  await first.keyboard.press("Enter")
  await come
  for (const page of pages) {
    await expect.poll(() => prompts(page)).toEqual([...row.before, "go"])
    await page.getByRole("button", { name: "Stop" }).waitFor()
    const sign = { text: "Half", approval: "Allow this?", tool: "running…", nothing: "Working…" }[signOf(row)]
    await page.getByText(sign).first().waitFor()
  }
  return { pages, sent: session.close() }
}

function signOf({ answer, asks }: MidStream): "text" | "approval" | "tool" | "nothing" {
  if (answer.calls !== undefined) return asks ? "approval" : "tool"
  return answer.text === undefined ? "nothing" : "text"
}

/** There is nothing before it: it says so, and the turn is as it was. */
async function goesOn(pages: Page[], row: MidStream): Promise<void> {
  for (const page of pages) {
    await page.getByRole("status").getByText("This is the first round").waitFor()
    const sign = { text: "Half", approval: "Allow this?", tool: "running…", nothing: "Working…" }[signOf(row)]
    await page.getByText(sign).first().waitFor()
    await page.getByRole("button", { name: "Stop" }).click()
    await page.getByRole("button", { name: "Stop" }).waitFor({ state: "detached" })
  }
}

/** What is said next is answered where they stand. */
async function continues(pages: Page[]): Promise<void> {
  const [first] = pages as [Page]
  await first.getByLabel("Message", { exact: true }).fill("next")
  await first.keyboard.press("Enter")
  for (const page of pages) await page.getByText("Answer to next.").waitFor()
}

function prompts(page: Page): Promise<string[]> {
  return page.evaluate(`[...document.querySelectorAll("article.prompt .text")].map((each) => each.textContent)`)
}

function pending(page: Page): Promise<string[]> {
  return page.evaluate(
    `[...document.querySelectorAll(".tail > *, .approval")].map((each) => each.textContent.trim()).filter((text) => text !== "")`,
  )
}
