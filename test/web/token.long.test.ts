// The token that `retcon serve` puts behind the # of its address.
import type { Page } from "playwright-core"
import { expect, test } from "vitest"
import { forgetBrowsers } from "../../src/cli/serve/token-file.ts"
import { openPage, said, servePage, TOKEN, useBrowser } from "./page-server.ts"

const browser = useBrowser()

/** What each request to the API from now on says about who asks. */
function asked(page: Page): { authorization: string; referer: string }[] {
  const found: ReturnType<typeof asked> = []
  page.on("request", (request) => {
    const { authorization = "", referer = "" } = request.headers()
    if (request.url().includes("/api/")) found.push({ authorization, referer })
  })
  return found
}

/** Once the server knows the browser. */
async function known(page: Page): Promise<void> {
  const stored = `new Promise((settle) => {
    const opening = indexedDB.open("retcon", 1)
    opening.onupgradeneeded = () => opening.result.createObjectStore("keys")
    opening.onsuccess = () => {
      const asked = opening.result.transaction("keys").objectStore("keys").get("browser")
      asked.onsuccess = () => settle(asked.result !== undefined) || opening.result.close()
    }
  })`
  await expect.poll(() => page.evaluate(stored)).toBe(true)
}

test("it leaves the address at once, is sent as a header, and survives a reload", async () => {
  const at = await servePage()
  const page = await browser.open(`${at.url}#token=${TOKEN}`)
  await page.getByText("There are no sessions yet").waitFor()
  expect(page.url()).toBe(at.url)
  const requests = asked(page)
  await page.reload()
  await page.getByText("There are no sessions yet").waitFor()
  expect(requests.length).toBeGreaterThan(1)
  for (const request of requests) expect(request).toEqual({ authorization: `Bearer ${TOKEN}`, referer: "" })
  expect(await page.evaluate("document.cookie + localStorage.length")).toBe("0")
})

test("without one, the page says where to get it and asks nothing", async () => {
  const at = await servePage()
  const page = await browser.open(at.url)
  await page.getByText("This browser has no token. Open the address that retcon serve prints").waitFor()
  const requests = asked(page)
  await page.reload()
  await page.getByText("This browser has no token. Open the address that retcon serve prints").waitFor()
  expect(requests).toEqual([])
})

test("what a person pastes is taken: the whole address, or the token", async () => {
  const at = await servePage()
  const page = await browser.open(at.url)
  for (const pasted of [`${at.url}#token=${TOKEN}`, ` ${TOKEN}\n`]) {
    await page.getByLabel("Or paste that address here").fill(pasted)
    await page.getByRole("button", { name: "Open" }).click()
    await page.getByText("There are no sessions yet").waitFor()
    expect(page.url()).toBe(at.url)
    await page.evaluate("sessionStorage.clear(); indexedDB.deleteDatabase('retcon')")
    await page.reload()
  }
})

test("any tab of a browser that had it opens a session by its address, also after a restart with another token", async () => {
  const at = await servePage([{ text: "One." }, { text: "Two." }])
  const id = await said(at, "First", "Second")
  const page = await openPage(browser, at, id)
  await known(page)
  const sibling = await page.context().newPage()
  await sibling.goto(`${at.url}#/s/${id}`)
  await sibling.getByText("One.").waitFor()
  browser.expectErrors(/net::ERR|401|503/)
  await at.startAgain("another-token")
  await sibling.reload()
  await sibling.getByText("One.").waitFor()
  // A browser keeps six connections to a server: a tab that is looked at has two.
  await sibling.close()
  const later = await page.context().newPage()
  await later.goto(`${at.url}#/s/${id}`)
  await later.getByText("One.").waitFor()
  // The first tab was open all the time.
  await page.getByRole("main").getByRole("button", { name: "Back" }).click()
  await page.getByText("Two.").waitFor({ state: "detached" })
  expect(await page.evaluate("document.cookie + localStorage.length")).toBe("0")
})

test("another browser gets nothing, and a forgotten one is asked for the address", async () => {
  const at = await servePage()
  const page = await browser.open(`${at.url}#token=${TOKEN}`)
  await known(page)
  const stranger = await browser.open(at.url)
  await stranger.getByText("This browser has no token").waitFor()
  expect(forgetBrowsers(at.home)).toBe(1)
  browser.expectErrors(/net::ERR|401|403|503/)
  await at.startAgain("another-token")
  await page.reload()
  await page.getByText("This page's token is not valid").waitFor()
})

test("one that the server does not know is reported, once, and nothing untrue is", async () => {
  const at = await servePage()
  browser.expectErrors(/401/)
  const page = await browser.open(`${at.url}#token=of-another-server`, { viewport: { width: 390, height: 780 } })
  await page.getByRole("alert").getByText("This page's token is not valid, or no longer valid").waitFor()
  await page.getByText("Open the address that it printed last").waitFor()
  expect(await page.getByText(/no sessions yet|Bearer/).count()).toBe(0)
  await page.evaluate(`location.hash = "#token=${TOKEN}"`)
  await page.getByText("There are no sessions yet").waitFor()
})

test("sessions that cannot be listed are not reported as none", async () => {
  const at = await servePage()
  browser.expectErrors(/net::ERR/)
  const page = await browser.open(`${at.url}#token=${TOKEN}`)
  await page.getByText("There are no sessions yet").waitFor()
  await page.route("**/api/sessions?*", (route) => route.abort())
  await page.reload()
  await page.getByRole("alert").getByText("The sessions could not be listed. The server does not answer.").waitFor()
  expect(await page.getByText("There are no sessions yet").count()).toBe(0)
})
