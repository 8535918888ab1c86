// Going on: from a branch that is looked at, in a new session, and with what could not be sent.
import { join } from "node:path"
import { expect, test } from "vitest"
import { workIn } from "../../src/protocol/open-to-work.ts"
import { conversation, openPage, said, servePage, TOKEN, useBrowser } from "./page-server.ts"

const browser = useBrowser()
const message = "Message"

test("what is sent while another branch is looked at continues that branch, and the one that was left stays", async () => {
  const at = await servePage([{ text: "One." }, { text: "Left." }, { text: "Right." }, { text: "More of left." }])
  const id = await said(at, "First", "Go left")
  const session = await at.host.open(id)
  await session.back()
  await workIn(session).send({ text: "Go right" })
  await session.close()
  const page = await openPage(browser, at, id)
  const tree = page.getByRole("complementary", { name: "Tree of branches" })
  await tree.getByRole("button", { name: /Go left/ }).click()
  await page.getByText("Left.", { exact: true }).waitFor()
  const field = page.getByLabel(message, { exact: true })
  await expect.poll(() => field.getAttribute("placeholder")).toBe("Continue from what you are looking at")
  await field.fill("Further left")
  await page.getByRole("button", { name: "Continue here" }).click()
  await page.getByText("More of left.").waitFor()
  await tree.getByRole("button", { name: /Further left you are here/ }).waitFor()
  await expect
    .poll(() => conversation(page))
    .toEqual(["you: First", "agent: One.", "you: Go left", "agent: Left.", "you: Further left", "agent: More of left."])
  await tree.getByRole("button", { name: /Go right/ }).waitFor()
  await page.getByText("This is a preview.").waitFor({ state: "detached" })
})

test("a new session is made in a project, by its button or by a key, and answers", async () => {
  const at = await servePage([{ text: "One." }, { text: "A fresh start." }])
  await said(at, "First")
  const page = await browser.open(`${at.url}#token=${TOKEN}`)
  await page.getByRole("button", { name: "New session in work" }).click()
  await page.getByText("This conversation is empty.").waitFor()
  const first = page.url()
  await page.keyboard.press("Alt+n")
  const dialog = page.getByRole("dialog", { name: "New session" })
  await expect.poll(() => dialog.getByLabel("Folder it works in").inputValue()).toBe(at.root)
  await page.keyboard.press("Enter")
  await expect.poll(() => page.url()).not.toBe(first)
  await page.getByLabel(message, { exact: true }).and(page.locator(":focus")).waitFor()
  await page.keyboard.type("Begin")
  await page.keyboard.press("Enter")
  await page.getByText("A fresh start.").waitFor()
  await page.getByRole("link", { name: /Begin/ }).waitFor()
})

test("what could not be sent comes back with its files", async () => {
  const at = await servePage([{ text: "One." }])
  const page = await openPage(browser, at, await said(at, "First"))
  browser.expectErrors(/500/)
  await page.route("**/converse", (route) =>
    route.fulfill({ status: 500, contentType: "application/problem+json", body: `{"code":"io","detail":"No room."}` }),
  )
  await page.setInputFiles("input[type=file]", { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("hi") })
  await page.getByRole("list", { name: "Attached" }).getByText("notes.txt").waitFor()
  await page.getByLabel(message, { exact: true }).fill("Read this")
  await page.keyboard.press("Enter")
  await page.getByRole("status").getByText("No room.").waitFor()
  await expect.poll(() => page.getByLabel(message, { exact: true }).inputValue()).toBe("Read this")
  await page.getByRole("list", { name: "Attached" }).getByText("notes.txt").waitFor()
  await page.getByRole("button", { name: "Remove" }).click()
  await page.getByRole("list", { name: "Attached" }).waitFor({ state: "detached" })
})

test("a dropped file is sent too; one that is too large says so", async () => {
  const at = await servePage([{ text: "One." }, { text: "Read." }])
  const page = await openPage(browser, at, await said(at, "First"))
  await page.evaluate(`(() => {
    const dataTransfer = new DataTransfer()
    dataTransfer.items.add(new File(["a,b"], "table.csv", { type: "text/csv" }))
    dataTransfer.items.add(new File([new Uint8Array(9e6)], "film.bin"))
    document.querySelector("form.box").dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }))
  })()`)
  await page.getByRole("status").getByText("film.bin has 9 MB; you can attach up to 8 MB.").waitFor()
  await page.getByRole("list", { name: "Attached" }).getByText("table.csv").waitFor()
  await page.getByRole("button", { name: "Send" }).click()
  await page.getByText("Read.").waitFor()
  expect(at.model.requests.at(-1)?.messages.at(-1)?.content).toContainEqual(
    expect.objectContaining({ type: "file", name: "table.csv" }),
  )
})

test("a folder that does not exist is refused in the dialog, which keeps what was typed", async () => {
  const at = await servePage([])
  browser.expectErrors(/4\d\d/)
  const page = await browser.open(`${at.url}#token=${TOKEN}`)
  await page.getByRole("main").getByRole("button", { name: "New session" }).click()
  await page.getByLabel("Folder it works in").fill(join(at.root, "nowhere"))
  await page.getByRole("button", { name: "Create" }).click()
  const dialog = page.getByRole("dialog", { name: "New session" })
  await dialog
    .getByRole("alert")
    .getByText(/nowhere/)
    .waitFor()
  expect(await dialog.getByLabel("Folder it works in").inputValue()).toBe(join(at.root, "nowhere"))
  await dialog.getByLabel("Folder it works in").fill(at.root)
  await page.keyboard.press("Enter")
  await dialog.waitFor({ state: "detached" })
  await page.getByLabel(message, { exact: true }).and(page.locator(":focus")).waitFor()
})
