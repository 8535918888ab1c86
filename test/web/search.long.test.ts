// `retcon serve` as a person starts it, and its list searched by what was said.
import { expect, test } from "vitest"
import { jsonBody, served } from "../server/served.ts"
import { useBrowser } from "./browser.ts"

const browser = useBrowser()

test("a word that is in no title finds the session in which it was said", async () => {
  const { url, token, cwd, ask } = await served()
  const { id } = (await (await ask("/api/sessions", jsonBody({ cwd }))).json()) as { id: string }
  for (const text of ["say hello", "say the zebra crossed"])
    await ask(`/api/sessions/${id}/converse`, jsonBody({ text, wait: true }))
  const page = await browser.open(`${url}/#token=${token}`)
  const link = page.getByRole("link", { name: /say hello/ })
  await link.waitFor()
  await page.getByLabel("Search sessions").fill("giraffe")
  await page.getByText("No session matches.").waitFor()
  await page.getByLabel("Search sessions").fill("zebra")
  await page.getByText("Found in conversations").waitFor()
  await link.locator("mark", { hasText: "zebra" }).waitFor()
  await link.click()
  await page.locator(".found", { hasText: "zebra" }).first().waitFor()
  expect(page.url()).toContain(id)
})

test("what was said on a branch that was left is looked at, and brought into view", async () => {
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
  expect(await page.locator(".found", { hasText: "okapi" }).first().isVisible()).toBe(true)
})
