// What is typed on the page and not sent is never lost.
import type { Page } from "playwright-core"
import { expect, test } from "vitest"
import { openPage, said, servePage, TOKEN, useBrowser } from "./page-server.ts"

const browser = useBrowser()
const field = (page: Page) => page.getByLabel("Message", { exact: true })
const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==",
  "base64",
)

async function attach(page: Page): Promise<void> {
  await page.locator("input[type=file]").setInputFiles({ name: "dot.png", mimeType: "image/png", buffer: PIXEL })
  await page.getByRole("button", { name: /Remove/ }).waitFor()
}

/** Another tab of the same browser, with the session open. */
async function sibling(page: Page, url: string, session: string): Promise<Page> {
  const other = await page.context().newPage()
  await other.goto(`${url}#token=${TOKEN}`)
  await other.evaluate(`location.hash = "#/s/${session}"`)
  await field(other).waitFor()
  return other
}

test("another session and back: text and images are there, each in its own session", async () => {
  const at = await servePage([{ text: "One." }, { text: "Two." }])
  const [first, second] = [await said(at, "First"), await said(at, "Second")]
  const page = await openPage(browser, at, first)
  await field(page).fill("half a thought")
  await attach(page)
  await page.evaluate(`location.hash = "#/s/${second}"`)
  await page.getByText("Two.").waitFor()
  await expect.poll(() => field(page).inputValue()).toBe("")
  expect(await page.getByRole("button", { name: /Remove/ }).count()).toBe(0)
  await field(page).fill("another")
  await page.evaluate(`location.hash = "#/s/${first}"`)
  await page.getByText("One.").waitFor()
  await expect.poll(() => field(page).inputValue()).toBe("half a thought")
  await page.getByRole("button", { name: /Remove/ }).waitFor()
  await page.evaluate(`location.hash = "#/s/${second}"`)
  await expect.poll(() => field(page).inputValue()).toBe("another")
})

test("a reload in the middle of a word", async () => {
  const at = await servePage([{ text: "One." }])
  const page = await openPage(browser, at, await said(at, "First"))
  await attach(page)
  await field(page).pressSequentially("half a th")
  await page.reload()
  await expect.poll(() => field(page).inputValue()).toBe("half a th")
  await page.getByRole("button", { name: /Remove/ }).waitFor()
})

test("what was typed while the server was away is there after its return and a reload", async () => {
  const at = await servePage([{ text: "One." }])
  const id = await said(at, "First")
  const page = await openPage(browser, at, id)
  browser.expectErrors(/net::ERR|503/)
  await at.stop()
  const gone = page.getByText(/The server does not answer|Reconnecting/).first()
  await gone.waitFor()
  await field(page).fill("typed into the void")
  await at.startAgain()
  await gone.waitFor({ state: "detached" })
  await expect.poll(async () => (await (await at.host.open(id)).draft())?.text).toBe("typed into the void")
  const other = await sibling(page, at.url, id)
  await expect.poll(() => field(other).inputValue()).toBe("typed into the void")
})

test("another tab shows the same, as it is typed; what is sent is in neither", async () => {
  const at = await servePage([{ text: "One." }, { text: "Two." }])
  const id = await said(at, "First")
  const page = await openPage(browser, at, id)
  const other = await sibling(page, at.url, id)
  await field(page).pressSequentially("from here")
  await expect.poll(() => field(other).inputValue()).toBe("from here")
  await field(other).pressSequentially(", and there")
  await expect.poll(() => field(page).inputValue()).toBe("from here, and there")
  await page.keyboard.press("Enter")
  await page.getByText("Two.").waitFor()
  await expect.poll(() => field(other).inputValue()).toBe("")
  await page.reload()
  await page.getByText("Two.").waitFor()
  await expect.poll(() => field(page).inputValue()).toBe("")
})

test("what a terminal left is in the field, and what the page left is there for the terminal", async () => {
  const at = await servePage([{ text: "One." }])
  const id = await said(at, "First")
  const terminal = await at.host.open(id)
  await terminal.close({ text: "from the terminal" })
  const page = await openPage(browser, at, id)
  await expect.poll(() => field(page).inputValue()).toBe("from the terminal")
  await field(page).fill("from the page")
  await expect.poll(async () => (await (await at.host.open(id)).draft())?.text).toBe("from the page")
  expect((await at.elsewhere().open(id)).takeDraft()).toMatchObject({ text: "from the page" })
})
