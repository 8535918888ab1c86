// The token that `retcon serve` puts behind the # of its address.
import type { Page } from "playwright-core"
import { expect, test } from "vitest"
import { servePage, TOKEN, useBrowser } from "./page-server.ts"

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
  await page.getByText("Open the address that retcon serve prints").waitFor()
  const requests = asked(page)
  await page.reload()
  await page.getByText("Open the address that retcon serve prints").waitFor()
  expect(requests).toEqual([])
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
