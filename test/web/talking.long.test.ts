// Saying something on the page, and what comes back.
import { expect, test } from "vitest"
import { conversation, openPage, said, servePage, TOKEN, useBrowser } from "./page-server.ts"

const browser = useBrowser()

test("a session is found by a word of its title, opened, and continued", async () => {
  const at = await servePage([
    { text: "One." },
    { text: "Two." },
    { text: "Here is **three**:\n\n```ts\nconst x = 3\n```" },
  ])
  await said(at, "Count the apples")
  await said(at, "Paint the fence")
  const page = await browser.open(`${at.url}#token=${TOKEN}`)
  await page.getByRole("link", { name: /Paint the fence/ }).waitFor()
  await page.getByLabel("Search sessions").fill("APPLES")
  await page.getByRole("link", { name: /Paint the fence/ }).waitFor({ state: "detached" })
  await page.getByRole("link", { name: /Count the apples/ }).click()
  await page.getByText("One.").waitFor()
  await expect.poll(() => conversation(page)).toEqual(["you: Count the apples", "agent: One."])
  await page.getByLabel("Message", { exact: true }).fill("And now?")
  await page.keyboard.press("Enter")
  await page.locator("strong", { hasText: "three" }).waitFor()
  await page.locator(".hljs-keyword", { hasText: "const" }).waitFor()
  await expect.poll(() => page.title()).toContain("Count the apples")
  await expect.poll(() => page.getByLabel("Message", { exact: true }).inputValue()).toBe("")
})

test("a turn is steered while it runs, and stopped with Esc", async () => {
  const at = await servePage([{ text: "Start." }, { text: "Thinking about it", hangs: true }])
  const page = await openPage(browser, at, await said(at, "Hello"))
  const field = page.getByLabel("Message", { exact: true })
  await field.fill("Think")
  await page.keyboard.press("Enter")
  await page.getByText("Thinking about it").waitFor()
  await field.fill("Faster please")
  await page.getByRole("button", { name: "Steer" }).click()
  await page.getByText("waiting for the agent's next step").waitFor()
  await page.keyboard.press("Escape")
  await page.getByRole("button", { name: "Stop" }).waitFor({ state: "detached" })
})

test("a pasted image is sent too", async () => {
  const at = await servePage([{ text: "Start." }, { text: "A red dot." }])
  const page = await openPage(browser, at, await said(at, "Hello"))
  await page.getByLabel("Message", { exact: true }).fill("What is this?")
  await page.evaluate(`(() => {
    const bytes = Uint8Array.from(atob("${DOT}"), (char) => char.charCodeAt(0))
    const clipboardData = new DataTransfer()
    clipboardData.items.add(new File([bytes], "dot.png", { type: "image/png" }))
    document.querySelector("textarea").dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }))
  })()`)
  await page.getByRole("list", { name: "Attached" }).locator("img").waitFor()
  await page.getByRole("button", { name: "Send" }).click()
  await page.getByText("A red dot.").waitFor()
  await page.getByRole("article", { name: "You" }).last().locator("img").waitFor()
  const sent = at.model.requests.at(-1)?.messages.at(-1)?.content
  expect(sent).toContainEqual(expect.objectContaining({ type: "image", mediaType: "image/png", data: DOT }))
})

const DOT = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="

test.each(["before", "after"] as const)(
  "what waited comes back below its prompt, %s the answer to Back",
  async (when) => {
    const at = await servePage([{ text: "Start." }, { text: "Thinking about it", hangs: true }])
    const page = await openPage(browser, at, await said(at, "Hello"))
    const field = page.getByLabel("Message", { exact: true })
    await field.fill("Think")
    await page.keyboard.press("Enter")
    await page.getByText("Thinking about it").waitFor()
    for (const text of ["Faster please", "And shorter"]) {
      await field.fill(text)
      await page.keyboard.press("Enter")
    }
    await expect.poll(() => page.getByText("waiting for the agent's next step").count()).toBe(2)
    let release = () => {}
    const held = new Promise<void>((settle) => (release = settle))
    await page.route("**/back", async (route) => {
      const response = await route.fetch()
      if (when === "before") await held
      await route.fulfill({ response })
    })
    await page.keyboard.press("Alt+ArrowLeft")
    if (when === "before") await expect.poll(() => field.inputValue()).toContain("And shorter")
    release()
    await expect.poll(() => field.inputValue()).toBe("Think\n\nFaster please\n\nAnd shorter")
  },
)
