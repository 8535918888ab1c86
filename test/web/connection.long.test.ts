// The server stops, comes back, or another program changes what is on the screen.
import { expect, test } from "vitest"
import { workIn } from "../../src/protocol/open-to-work.ts"
import { jsonBody, served } from "../server/served.ts"
import { conversation, openPage, said, servePage, useBrowser } from "./page-server.ts"

const browser = useBrowser()

test("a stopped server is reported, and nothing can be moved or sent", async () => {
  const at = await servePage([{ text: "One." }, { text: "Two." }])
  const page = await openPage(browser, at, await said(at, "First", "Second"))
  await page.getByText("Two.").waitFor()
  browser.expectErrors(/net::ERR|503/)
  await at.stop()
  await page
    .getByText(/The server does not answer|Reconnecting/)
    .first()
    .waitFor()
  const back = page.getByRole("main").getByRole("button", { name: "Back" })
  await page.waitForFunction(`document.querySelector(".moves button").ariaDisabled === "true"`)
  await expect.poll(() => back.getAttribute("title")).toContain("The server does not answer")
  await page.getByLabel("Message", { exact: true }).fill("Anyone?")
  await expect.poll(() => page.getByRole("button", { name: "Send" }).isDisabled()).toBe(true)
  await expect.poll(() => conversation(page)).toHaveLength(4)
})

test("nobody claims that the agent works when the server has gone", async () => {
  const { url, token, cwd, ask, stop } = await served(["--mode", "yolo"])
  const { id } = (await (await ask("/api/sessions", jsonBody({ cwd }))).json()) as { id: string }
  const page = await browser.open(`${url}/#token=${token}`)
  await page.evaluate(`location.hash = "#/s/${id}"`)
  await page.getByLabel("Message", { exact: true }).fill("run sleep 60")
  await page.keyboard.press("Enter")
  await page.getByText("Working…").waitFor()
  browser.expectErrors(/net::ERR/)
  await stop("SIGKILL")
  await page.getByText("The agent was working when it was last heard from.").waitFor()
  await page.getByText("Working…").waitFor({ state: "detached" })
  await expect.poll(() => page.getByRole("button", { name: "Stop" }).isDisabled()).toBe(true)
})

test("a server that comes back is found automatically: nothing typed is lost, and the conversation continues", async () => {
  const at = await servePage([{ text: "One." }, { text: "Two." }, { text: "Three." }])
  const page = await openPage(browser, at, await said(at, "First", "Second"))
  await page.getByText("Two.").waitFor()
  browser.expectErrors(/net::ERR|503/)
  await at.stop()
  const gone = page.getByText(/The server does not answer|Reconnecting/).first()
  await gone.waitFor()
  await page.getByLabel("Message", { exact: true }).fill("Third")
  await at.startAgain()
  await gone.waitFor({ state: "detached" })
  await page.getByRole("button", { name: "Send" }).click()
  await page.getByText("Three.").waitFor()
  await page.keyboard.press("Alt+ArrowLeft")
  await page.getByText("Three.").waitFor({ state: "detached" })
})

test("what is said elsewhere appears, also in the list", async () => {
  const at = await servePage([{ text: "One." }, { text: "Two." }])
  const id = await said(at, "First")
  const page = await openPage(browser, at, id)
  await page.getByText("One.").waitFor()
  const elsewhere = await at.host.open(id)
  await workIn(elsewhere).send({ text: "From the terminal" })
  await page.getByText("Two.").waitFor()
  await elsewhere.back()
  await page.getByText("Two.").waitFor({ state: "detached" })
  await elsewhere.close()
})

test("a session that runs is joined in the middle of an answer", async () => {
  const at = await servePage([{ text: "One." }, { text: "In the middle of it", hangs: true }])
  const id = await said(at, "First")
  const elsewhere = await at.host.open(id)
  const sent = workIn(elsewhere).send({ text: "Go on" })
  await new Promise<void>((done) => elsewhere.on(({ event }) => event.type === "text-delta" && done()))
  const page = await openPage(browser, at, id)
  await page.getByText("In the middle of it").waitFor()
  await page.getByRole("button", { name: "Stop" }).click()
  await page.getByRole("button", { name: "Stop" }).waitFor({ state: "detached" })
  await sent
  await elsewhere.close()
})

test("an address of a session that does not exist says so", async () => {
  const at = await servePage([])
  browser.expectErrors(/404/)
  const page = await browser.open(`${at.url}#token=token-of-the-test`)
  await page.evaluate(`location.hash = "#/s/01a1e686-cdfa-755d-82d3-6c4055bd415e"`)
  await page
    .getByRole("alert")
    .getByText(/no session/i)
    .waitFor()
})

test("on a phone the field says in one line that the server is gone", async () => {
  const at = await servePage([{ text: "One." }])
  const page = await openPage(browser, at, await said(at, "First"), { viewport: { width: 390, height: 780 } })
  const field = page.getByLabel("Message", { exact: true })
  browser.expectErrors(/net::ERR|503/)
  await at.stop()
  await expect.poll(() => field.getAttribute("placeholder")).toBe("The server does not answer.")
  // The element's own height does not tell: a placeholder may be cut off without making it scroll.
  const needed = await page.evaluate(`(() => {
    const field = document.querySelector("textarea")
    const pen = document.createElement("canvas").getContext("2d")
    const style = getComputedStyle(field)
    pen.font = style.font
    const inside = field.clientWidth - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight)
    return pen.measureText(field.placeholder).width / inside
  })()`)
  expect(needed).toBeLessThan(1)
})
