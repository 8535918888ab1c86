// Sessions of a size that no page could hold at once.
import type { Page } from "playwright-core"
import { expect, test } from "vitest"
import { answerDraft, createSession, fileStore, promptDraft } from "../../src/index.ts"
import { openPage, type ServedPage, servePage, useBrowser } from "./page-server.ts"

const browser = useBrowser()

/** `back`: after how many rounds two are left behind, again and again. */
async function longSession({ root, home }: ServedPage, rounds: number, back?: number) {
  const made = { name: "test", version: "0" }
  const session = await createSession(fileStore({ home }), { cwd: root, made }, { durability: "fast" })
  for (let start = 0; start < rounds; start += back ?? 1000) {
    const many = Array.from({ length: Math.min(back ?? 1000, rounds - start) }, (_, i) => start + i + 1)
    await session.append(many.flatMap((n) => [promptDraft(`Prompt ${n}`), answerDraft(`Answer **${n}**.`)]))
    if (back !== undefined) await session.back({ rounds: 2 })
  }
  await session.close()
  return session.id
}

const articles = (page: Page) => page.evaluate("document.querySelectorAll('article').length")

test("20,000 messages scroll, and only those on the screen are there", async () => {
  const at = await servePage([])
  const page = await openPage(browser, at, await longSession(at, 10_000))
  await page.getByText("Answer 10000.").waitFor()
  expect(await articles(page)).toBeLessThan(100)
  const list = page.getByRole("region", { name: "Conversation" })
  await list.press("Home")
  await page.getByRole("article").getByText("Prompt 1", { exact: true }).waitFor()
  expect(await articles(page)).toBeLessThan(100)
  for (let i = 0; i < 20; i++) await list.press("PageDown")
  await page.getByText("Answer 10000.").waitFor({ state: "detached" })
  await expect.poll(() => articles(page)).toBeGreaterThan(5)
  await list.press("End")
  await page.getByText("Answer 10000.").waitFor()
})

test("a tree of 100,000 entries is drawn elsewhere, and you can go to one of its branches", async () => {
  const at = await servePage([])
  const page = await openPage(browser, at, await longSession(at, 50_000, 100))
  const tree = page.getByRole("complementary", { name: "Tree of branches" })
  const other = tree.getByRole("button", { name: "Prompt 50000", exact: true })
  await other.click()
  await page.getByText("This is a preview. Nothing has moved.").waitFor()
  await page.getByText("Answer 50000.").waitFor()
  await page.getByRole("button", { name: "Go here" }).click()
  await tree.getByRole("button", { name: /Prompt 50000 you are here/ }).waitFor()
})
