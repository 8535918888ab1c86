// The list searched by what was said, most of it with `retcon serve` as a person starts it.
import { expect, test } from "vitest"
import { jsonBody, served } from "../server/served.ts"
import { said, servePage, TOKEN, useBrowser } from "./page-server.ts"

const browser = useBrowser()

test("a word that is in no title finds the session in which it was said", async () => {
  const { url, token, cwd, ask } = await served()
  const { id } = (await (await ask("/api/sessions", jsonBody({ cwd }))).json()) as { id: string }
  for (const text of ["say hello", "say the zebra crossed"])
    await ask(`/api/sessions/${id}/converse`, jsonBody({ text, wait: true }))
  const page = await browser.open(`${url}/#token=${token}`)
  const link = page.getByRole("link", { name: /say hello/ })
  await link.waitFor()
  await page.keyboard.press("Control+k")
  await page.getByLabel("Search sessions").and(page.locator(":focus")).fill("giraffe")
  await page.getByText("No session matches.").waitFor()
  await page.getByLabel("Search sessions").fill("zebra")
  await page.getByText("Found in conversations").waitFor()
  await link.locator("mark", { hasText: "zebra" }).waitFor()
  expect(await link.locator(".hit").textContent()).toContain("the zebra crossed")
  await link.click()
  await page.locator(".found", { hasText: "zebra" }).first().waitFor()
  expect(page.url()).toContain(id)
})

test("the match is in view, however much was said before it", async () => {
  const { url, token, cwd, ask } = await served()
  const { id } = (await (await ask("/api/sessions", jsonBody({ cwd }))).json()) as { id: string }
  for (const text of ["say hello", `say ${"WIDE WORDS BEFORE ".repeat(4)} zebra crossed`])
    await ask(`/api/sessions/${id}/converse`, jsonBody({ text, wait: true }))
  const page = await browser.open(`${url}/#token=${token}`)
  await page.getByLabel("Search sessions").fill("zebra")
  const mark = page.locator("mark", { hasText: "zebra" })
  await mark.waitFor()
  const [match, row] = await Promise.all([mark.boundingBox(), page.locator(".hit").boundingBox()])
  expect((match?.x ?? 0) + (match?.width ?? 0)).toBeLessThanOrEqual((row?.x ?? 0) + (row?.width ?? 0))
})

test("what was said on an abandoned branch is looked at, and brought into view", async () => {
  const { url, token, cwd, ask } = await served()
  const { id } = (await (await ask("/api/sessions", jsonBody({ cwd }))).json()) as { id: string }
  const say = (text: string) => ask(`/api/sessions/${id}/converse`, jsonBody({ text, wait: true }))
  await say("say hello")
  await say("say the okapi is shy")
  for (let n = 1; n <= 12; n++) await say(`say line ${n}`)
  await ask(`/api/sessions/${id}/back`, jsonBody({ rounds: 13 }))
  await say("say something else")
  const page = await browser.open(`${url}/#token=${token}`)
  await page.getByLabel("Search sessions").fill("okapi")
  await page.getByRole("link", { name: /okapi/ }).click()
  await page.getByText("This is a preview. Nothing has moved.").waitFor()
  await page.locator(".found", { hasText: "okapi" }).first().waitFor()
})

test("by keys: from the field down to what was found, and back", async () => {
  const at = await servePage()
  for (const word of ["apple", "pear", "plum"]) await said(at, `Paint the ${word}`)
  const page = await browser.open(`${at.url}#token=${TOKEN}`)
  const focused = (name: RegExp) => page.getByRole("link", { name }).and(page.locator(":focus")).waitFor()
  const field = page.getByLabel("Search sessions").and(page.locator(":focus"))
  await page.getByRole("link", { name: /plum/ }).waitFor()
  await page.keyboard.press("Alt+s")
  await page.keyboard.type("p")
  await page.keyboard.press("ArrowDown")
  await focused(/plum/)
  await page.keyboard.press("ArrowDown")
  await focused(/pear/)
  await page.keyboard.press("Escape")
  await field.waitFor()
  expect(await field.inputValue()).toBe("p")
  await page.keyboard.press("ArrowDown")
  await focused(/plum/)
  await page.keyboard.press("ArrowUp")
  await field.waitFor()
  for (let n = 1; n <= 5; n++) await page.keyboard.press("ArrowDown")
  await focused(/apple/)
  await page.keyboard.press("Enter")
  await page.getByRole("heading", { name: "Paint the apple" }).waitFor()
})
