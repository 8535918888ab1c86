// What happens to a session behind the page's back: deleted, brought back, written by another program, made anew.
import { readFileSync, writeFileSync } from "node:fs"
import type { Route } from "playwright-core"
import { expect, test } from "vitest"
import type { WorkSession } from "../../src/protocol/host.ts"
import { workIn } from "../../src/protocol/open-to-work.ts"
import { fileStore } from "../../src/store/file/file-store.ts"
import { bringBack } from "../../src/store/file/folder/trash.ts"
import { conversation, openPage, type ServedPage, said, servePage, TOKEN, useBrowser } from "./page-server.ts"

const browser = useBrowser()
const THREE = [{ text: "One." }, { text: "Two." }, { text: "Three." }]
const fileOf = ({ home }: ServedPage, id: WorkSession["id"]) => fileStore({ home }).fileOf(id) ?? ""

test("a deleted session says so and how to restore it; once restored, it continues", async () => {
  const at = await servePage(THREE, { lookEvery: 50 })
  const id = await said(at, "First", "Second")
  const page = await openPage(browser, at, id)
  await page.getByText("Two.").waitFor()
  await fileStore({ home: at.home }).remove(id)
  const alert = page.getByRole("alert").getByText("This session was deleted.")
  await alert.waitFor()
  await page.getByText(`retcon rm --restore ${id}`).waitFor()
  await page.getByRole("link", { name: /First/ }).waitFor({ state: "detached" })
  await expect.poll(() => conversation(page)).toHaveLength(4)
  const back = page.getByRole("main").getByRole("button", { name: "Back" })
  await expect.poll(() => back.getAttribute("title")).toBe("This session was deleted.")
  bringBack(at.home, id)
  await alert.waitFor({ state: "detached" })
  await page.getByLabel("Message", { exact: true }).fill("Third")
  await page.keyboard.press("Enter")
  await page.getByText("Three.").waitFor()
})

test("the list is live: a session comes, is named, and goes", async () => {
  const at = await servePage(THREE, { lookEvery: 50 })
  const page = await browser.open(`${at.url}#token=${TOKEN}`)
  await page.getByText("There are no sessions yet.").waitFor()
  const id = await said(at, "First")
  const link = page.getByRole("link", { name: /First/ })
  await link.waitFor()
  const session = await at.host.open(id)
  await session.title("Another name")
  await session.close()
  await page.getByRole("link", { name: /Another name/ }).waitFor()
  await fileStore({ home: at.home }).remove(id)
  await page.getByRole("link", { name: /Another name/ }).waitFor({ state: "detached" })
})

test("a file that another program rewrites is read again, and shown", async () => {
  const at = await servePage(THREE, { lookEvery: 50 })
  const id = await said(at, "First", "Second")
  const page = await openPage(browser, at, id)
  await page.getByText("Two.").waitFor()
  const file = fileOf(at, id)
  const lines = readFileSync(file, "utf8").split("\n")
  // All but the last round, as if a backup had been put in its place.
  const cut = lines.findIndex((line) => line.includes('"Second"'))
  writeFileSync(file, `${lines.slice(0, cut).join("\n")}\n`)
  const session = await at.host.open(id)
  await session.label("@1", "seen").catch(() => undefined)
  await session.close()
  await page.getByText("Two.").waitFor({ state: "detached" })
  await expect.poll(() => conversation(page)).toEqual(["you: First", "agent: One."])
})

test("what another program adds is shown and reported, and one click takes it back", async () => {
  const at = await servePage(THREE)
  const id = await said(at, "First")
  const page = await openPage(browser, at, id)
  await page.getByText("One.").waitFor()
  const elsewhere = await at.elsewhere().open(id)
  await workIn(elsewhere).send({ text: "From another process" })
  await elsewhere.close()
  await page.getByRole("status").getByText("A prompt was sent: “From another process”.").waitFor()
  await expect
    .poll(() => conversation(page))
    .toEqual(["you: First", "agent: One.", "you: From another process", "agent: Two."])
  await page.getByRole("status").getByRole("button", { name: "Undo" }).last().click()
  await expect.poll(() => conversation(page)).toEqual(["you: First", "agent: One."])
})

test("a move elsewhere is followed, and what is asked from the place before is asked again", async () => {
  const at = await servePage(THREE)
  const id = await said(at, "First", "Second", "Third")
  const page = await openPage(browser, at, id)
  await page.getByText("Three.").waitFor()
  const asked: Route[] = []
  await page.route("**/back", (route) => void asked.push(route))
  await page.keyboard.press("Alt+ArrowLeft")
  await expect.poll(() => asked.length).toBe(1)
  const elsewhere = await at.elsewhere().open(id)
  await elsewhere.back()
  await elsewhere.close()
  browser.expectErrors(/409/)
  await asked[0]?.continue()
  await page.unroute("**/back")
  const question = /went back 1 round\. From there, this would leave 2 messages behind, to before “Second”\./
  await page.getByRole("status").getByText(question).waitFor()
  await expect.poll(() => conversation(page)).toEqual(["you: First", "agent: One.", "you: Second", "agent: Two."])
  await page.getByRole("button", { name: "Do it from there" }).click()
  await expect.poll(() => conversation(page)).toEqual(["you: First", "agent: One."])
})
