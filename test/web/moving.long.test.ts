// Back, Redo and undo on the page.
import type { Page } from "playwright-core"
import { expect, test } from "vitest"
import { conversation, openPage, said, servePage, useBrowser } from "./page-server.ts"

const browser = useBrowser()
const THREE = [{ text: "Answer one." }, { text: "Answer two." }, { text: "Answer three." }]

const draft = (page: Page) => page.getByLabel("Message", { exact: true }).inputValue()
const toast = (page: Page, text: RegExp) => page.getByRole("status").getByText(text)

test("Back and Redo by keys: as often as there are rounds, and forward again", async () => {
  const at = await servePage(THREE)
  const page = await openPage(browser, at, await said(at, "First", "Second", "Third"))
  await page.getByText("Answer three.").waitFor()
  await page.keyboard.press("Alt+ArrowLeft")
  await toast(page, /Went back one round, 2 messages left behind/).waitFor()
  await expect.poll(() => draft(page)).toBe("Third")
  await page.keyboard.press("Alt+ArrowLeft")
  await page.getByText("Answer two.").waitFor({ state: "detached" })
  await expect.poll(() => draft(page)).toBe("Second")
  await expect.poll(() => conversation(page)).toEqual(["you: First", "agent: Answer one."])
  const back = page.getByRole("button", { name: "Back" })
  await expect.poll(() => back.getAttribute("aria-disabled")).toBe("true")
  await expect.poll(() => back.getAttribute("title")).toBe("This is the first round: there is nothing to go back to.")
  for (const answer of ["Answer two.", "Answer three."]) {
    await page.keyboard.press("Alt+ArrowRight")
    await page.getByText(answer).waitFor()
  }
  const redo = page.getByRole("main").getByRole("button", { name: "Redo" })
  await expect.poll(() => redo.getAttribute("aria-disabled")).toBe("true")
  await expect.poll(() => draft(page)).toBe("")
})

test("a move is undone from its toast; the person's own draft stays", async () => {
  const at = await servePage(THREE)
  const page = await openPage(browser, at, await said(at, "First", "Second"))
  await page.getByLabel("Message", { exact: true }).fill("My own words")
  await page.getByRole("button", { name: "Back" }).click()
  await page.getByText("Answer two.").waitFor({ state: "detached" })
  await expect.poll(() => draft(page)).toBe("My own words")
  await page.getByRole("button", { name: "Undo" }).click()
  await page.getByText("Answer two.").waitFor()
  await expect.poll(() => draft(page)).toBe("My own words")
})

test("a prompt after a move takes away the offer to undo the move", async () => {
  const at = await servePage([...THREE, { text: "Answer four." }])
  const page = await openPage(browser, at, await said(at, "First", "Second"))
  await page.getByRole("button", { name: "Back" }).click()
  await toast(page, /Went back/).waitFor()
  await page.getByLabel("Message", { exact: true }).fill("Another second")
  await page.keyboard.press("Enter")
  await page.getByText("Answer three.").waitFor()
  await toast(page, /Went back/).waitFor({ state: "detached" })
})

test("a move elsewhere takes it away too", async () => {
  const at = await servePage(THREE)
  const id = await said(at, "First", "Second", "Third")
  const page = await openPage(browser, at, id)
  await page.getByRole("button", { name: "Back" }).click()
  await toast(page, /Went back/).waitFor()
  const session = await at.host.open(id)
  await session.back()
  await session.close()
  await toast(page, /Went back/).waitFor({ state: "detached" })
})

test("only the last move is offered to be undone, and going forward is undone as well", async () => {
  const at = await servePage(THREE)
  const page = await openPage(browser, at, await said(at, "First", "Second"))
  await page.getByText("Answer two.").waitFor()
  await page.keyboard.press("Alt+ArrowLeft")
  await toast(page, /Went back/).waitFor()
  await page.keyboard.press("Alt+ArrowRight")
  await toast(page, /Went forward again/).waitFor()
  const offered = page.getByRole("status").getByRole("button", { name: /Undo|Redo/ })
  await expect.poll(() => offered.allTextContents()).toEqual(["Undo"])
  await page.getByRole("button", { name: "Undo" }).click()
  await page.getByText("Answer two.").waitFor({ state: "detached" })
})

test("what was undone can be redone with the button, also when the message about it is gone", async () => {
  const at = await servePage(THREE)
  const page = await openPage(browser, at, await said(at, "First", "Second"))
  await page.getByText("Answer two.").waitFor()
  const redo = page.locator(".moves").getByRole("button", { name: "Redo" })
  await page.keyboard.press("Alt+ArrowLeft")
  await page.getByText("Answer two.").waitFor({ state: "detached" })
  await page.getByRole("button", { name: "Undo" }).click()
  await page.getByText("Answer two.").waitFor()
  await toast(page, /Undone/).waitFor()
  await page.getByRole("button", { name: "Close", exact: true }).click()
  await expect.poll(() => redo.getAttribute("aria-disabled")).toBe("false")
  await redo.click()
  await page.getByText("Answer two.").waitFor({ state: "detached" })
  await expect.poll(() => conversation(page)).toEqual(["you: First", "agent: Answer one."])
})

test("a message about a move covers nothing that can be used meanwhile", async () => {
  const at = await servePage(THREE)
  const page = await openPage(browser, at, await said(at, "First", "Second", "Third"))
  await page.getByText("Answer three.").waitFor()
  await page.keyboard.press("Alt+h")
  await page.getByRole("slider", { name: "Round" }).waitFor()
  await page.getByRole("button", { name: "Back" }).click()
  await toast(page, /Went back/).waitFor()
  const covered = await page.evaluate(`(() => {
    const toast = document.querySelector(".toast").getBoundingClientRect()
    const hits = (box) => box.left < toast.right && box.right > toast.left && box.top < toast.bottom && box.bottom > toast.top
    return [...document.querySelectorAll("button, input, textarea, a, [role=slider]")]
      .filter((each) => each.closest(".toast") === null && each.checkVisibility() && hits(each.getBoundingClientRect()))
      .map((each) => each.getAttribute("aria-label") ?? each.textContent)
  })()`)
  expect(covered).toEqual([])
})

test("back in the middle of an answer: what was being said is gone at once, and nothing of it comes late", async () => {
  const at = await servePage([...THREE.slice(0, 2), { text: "Half an answer", hangs: true }])
  const page = await openPage(browser, at, await said(at, "First", "Second"))
  await page.getByLabel("Message", { exact: true }).fill("Third")
  await page.keyboard.press("Enter")
  await page.getByText("Half an answer").waitFor()
  await page.keyboard.press("Alt+ArrowLeft")
  await page.getByText("Half an answer").waitFor({ state: "detached" })
  await toast(page, /Went back/).waitFor()
  await page.getByRole("button", { name: "Stop" }).waitFor({ state: "detached" })
  await expect
    .poll(() => conversation(page))
    .toEqual(["you: First", "agent: Answer one.", "you: Second", "agent: Answer two."])
})
