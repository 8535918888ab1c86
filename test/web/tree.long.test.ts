// The tree beside the conversation, and the time slider.
import { expect, test } from "vitest"
import { workIn } from "../../src/protocol/open-to-work.ts"
import { conversation, openPage, type ServedPage, said, servePage, useBrowser } from "./page-server.ts"

const browser = useBrowser()

/** Two branches from the first answer; the head is on the second. */
async function branched(at: ServedPage) {
  const id = await said(at, "First", "Second, with regular expressions")
  const session = await at.host.open(id)
  await session.back()
  await workIn(session).send({ text: "Second, with a state machine" })
  await session.close()
  return id
}

const ANSWERS = [{ text: "One." }, { text: "Expressions." }, { text: "Machine." }]

test("a click looks without moving, Enter goes there", async () => {
  const at = await servePage(ANSWERS)
  const page = await openPage(browser, at, await branched(at))
  const tree = page.getByRole("complementary", { name: "Tree of branches" })
  await tree.getByRole("button", { name: /state machine you are here/ }).waitFor()
  await tree.getByRole("button", { name: /regular expressions/ }).click()
  await page.getByText("This is a preview. Nothing has moved.").waitFor()
  await page.getByText("Expressions.", { exact: true }).waitFor()
  await tree.getByRole("button", { name: /state machine you are here/ }).waitFor()
  await page.getByRole("button", { name: "Close the preview" }).click()
  await page.getByText("Machine.", { exact: true }).waitFor()
  await tree.getByRole("button", { name: /regular expressions/ }).focus()
  await page.keyboard.press("Enter")
  await tree.getByRole("button", { name: /regular expressions you are here/ }).waitFor()
  await expect.poll(async () => (await conversation(page)).at(-1)).toBe("agent: Expressions.")
})

test("with the time slider open, another branch is a preview too, and the slider is about what is shown", async () => {
  const at = await servePage([...ANSWERS, { text: "More machine." }])
  const id = await branched(at)
  const session = await at.host.open(id)
  await workIn(session).send({ text: "Third, on the machine" })
  await session.close()
  const page = await openPage(browser, at, id)
  await page.getByText("More machine.").waitFor()
  await page.keyboard.press("Alt+h")
  const slider = page.getByRole("slider", { name: "Round" })
  await expect.poll(() => slider.getAttribute("aria-valuetext")).toBe("Round 3 of 3: Third, on the machine")
  const tree = page.getByRole("complementary", { name: "Tree of branches" })
  const preview = page.getByText("This is a preview. Nothing has moved.")
  await tree.getByRole("button", { name: /regular expressions/ }).click()
  await page.getByText("Expressions.", { exact: true }).waitFor()
  await preview.waitFor()
  await expect.poll(() => slider.getAttribute("aria-valuetext")).toBe("Round 2 of 2: Second, with regular expressions")
  // It moves on that branch, back and forth.
  await slider.focus()
  await page.keyboard.press("ArrowLeft")
  await page.getByText("Expressions.", { exact: true }).waitFor({ state: "detached" })
  await expect.poll(() => slider.getAttribute("aria-valuetext")).toBe("Round 1 of 2: First")
  await page.keyboard.press("ArrowRight")
  await page.getByText("Expressions.", { exact: true }).waitFor()
  await page.getByRole("button", { name: "Close the preview" }).click()
  await page.getByText("More machine.").waitFor()
  await expect.poll(() => slider.getAttribute("aria-valuetext")).toBe("Round 3 of 3: Third, on the machine")
})

test("leaving a session while its tree still loads leaves nothing behind that fails", async () => {
  const at = await servePage(ANSWERS)
  const id = await branched(at)
  const page = await openPage(browser, at, id)
  // In the page, because what loads does so within 30 ms. A timer set later runs later.
  await page.evaluate(`(async () => {
    for (const session of ["", "#/s/${id}", ""]) {
      location.hash = session
      while ((session !== "") !== (document.querySelector("button.line") !== null)) await new Promise(requestAnimationFrame)
    }
    await new Promise((done) => setTimeout(done, 60))
  })()`)
  await page.getByText("Every session is a tree").waitFor()
})

test("by keys: down the lines, fold a branch, larger and smaller", async () => {
  const at = await servePage(ANSWERS)
  const page = await openPage(browser, at, await branched(at))
  const tree = page.getByRole("complementary", { name: "Tree of branches" })
  await tree.getByRole("button", { name: /state machine/ }).focus()
  await page.keyboard.press("ArrowDown")
  const branch = tree.getByRole("button", { name: /regular expressions/ })
  await branch.and(page.locator(":focus")).waitFor()
  await page.keyboard.press("f")
  await tree.getByRole("button", { name: /regular expressions · 2 messages/ }).waitFor()
  await page.keyboard.press("f")
  await tree.getByRole("button", { name: /regular expressions · 2 messages/ }).waitFor({ state: "detached" })
  const height = async () => (await tree.getByRole("button", { name: /First/ }).boundingBox())?.height ?? 0
  const before = await height()
  await page.keyboard.press("+")
  await page.keyboard.press("+")
  await expect.poll(height).toBeGreaterThan(before)
})

test("the time slider looks at each round, and Enter goes there", async () => {
  const at = await servePage([{ text: "One." }, { text: "Two." }, { text: "Three." }])
  const page = await openPage(browser, at, await said(at, "First", "Second", "Third"))
  await page.getByText("Three.").waitFor()
  await page.keyboard.press("Alt+h")
  const slider = page.getByRole("slider", { name: "Round" })
  await slider.press("ArrowLeft")
  await slider.press("ArrowLeft")
  await page.getByText("Round 1 of 3").waitFor()
  await page.getByText("Two.").waitFor({ state: "detached" })
  await expect.poll(() => conversation(page)).toEqual(["you: First", "agent: One."])
  await slider.press("Enter")
  await page
    .getByRole("status")
    .getByText(/Went there/)
    .waitFor()
  await page.getByText("Round 1 of 1").waitFor()
})

test.each([1280, 1000, 999, 390])(
  "a message leaves the buttons of the tree within reach, %d pixels wide",
  async (width) => {
    const at = await servePage(ANSWERS)
    const page = await openPage(browser, at, await branched(at), { viewport: { width, height: 780 } })
    await page.getByText("Machine.", { exact: true }).waitFor()
    const tree = page.getByRole("complementary", { name: "Tree of branches" })
    if (width < 1200) await page.getByRole("button", { name: "Tree" }).click()
    await tree.getByRole("button", { name: /regular expressions/ }).focus()
    await page.keyboard.press("Enter")
    await page
      .getByRole("status")
      .getByText(/Went there/)
      .waitFor()
    for (const name of ["All branches", "Larger"]) await tree.getByRole("button", { name }).click({ trial: true })
    await tree.getByRole("button", { name: "Close the tree" }).click()
    await tree.waitFor({ state: "detached" })
  },
)

test("on a phone the tree takes the place of the conversation", async () => {
  const at = await servePage(ANSWERS)
  const page = await openPage(browser, at, await branched(at), { viewport: { width: 390, height: 780 } })
  await page.getByText("Machine.", { exact: true }).waitFor()
  await page.getByRole("button", { name: "Tree" }).click()
  await page.getByRole("complementary", { name: "Tree of branches" }).waitFor()
  await page.getByText("Machine.", { exact: true }).waitFor({ state: "hidden" })
  await page.getByRole("button", { name: "Close the tree" }).click()
  await page.getByText("Machine.", { exact: true }).waitFor()
})

test("on a phone a tap on a branch shows it in place of the tree, and it is compared without a key", async () => {
  const at = await servePage(ANSWERS)
  const options = { viewport: { width: 390, height: 780 }, hasTouch: true }
  const page = await openPage(browser, at, await branched(at), options)
  await page.getByRole("button", { name: "Tree" }).tap()
  const tree = page.getByRole("complementary", { name: "Tree of branches" })
  const branch = tree.getByRole("button", { name: /regular expressions/ })
  await branch.waitFor()
  expect(await tree.getByText("compares").isVisible()).toBe(false)
  await branch.tap()
  await tree.waitFor({ state: "detached" })
  await page.getByText("This is a preview. Nothing has moved.").waitFor()
  await page.getByText("Expressions.", { exact: true }).waitFor()
  await page.getByRole("button", { name: "Compare" }).tap()
  const dialog = page.getByRole("dialog")
  await dialog.getByRole("listitem").filter({ hasText: "regular expressions" }).waitFor()
  await dialog.getByRole("listitem").filter({ hasText: "state machine" }).waitFor()
  await dialog.getByText(/^Your branch and “\w+” parted/).waitFor()
  await dialog.getByRole("combobox", { name: "The second branch" }).selectOption("head")
  await dialog.getByText("They are at the same point.").waitFor()
})

test("from a preview its findings are brought, edited first, and it is taken with its files", async () => {
  const at = await servePage(ANSWERS)
  const id = await branched(at)
  const page = await openPage(browser, at, id)
  const branch = page.getByRole("button", { name: /regular expressions/ }).filter({ hasNotText: "not verified" })
  await branch.click()
  await page.getByRole("button", { name: "Bring its findings…" }).click()
  const text = page.getByRole("textbox", { name: "What was found" })
  await expect.poll(() => text.inputValue()).toBe("Expressions.")
  await text.fill("Expressions are slow here.")
  await page.getByRole("button", { name: "Bring it", exact: true }).click()
  await page.getByText(/^Brought what is new on/).waitFor()
  await page.getByText("Brought in from another branch").waitFor()
  const session = await at.host.open(id)
  expect(JSON.stringify((await session.context()).at(-1))).toContain("Expressions are slow here.")
  await branch.click()
  await page.getByRole("button", { name: "Bring its findings…" }).click()
  await page.getByText("All of this branch is here already.").waitFor()
  await page.keyboard.press("Escape")
  await page.getByRole("button", { name: "Take this" }).click()
  await page.getByText(/^Took that branch with its files/).waitFor()
  await expect.poll(async () => (await conversation(page)).at(-1)).toBe("agent: Expressions.")
  await session.close()
})

test("the card of a line goes with the click that opens the line", async () => {
  const at = await servePage(ANSWERS)
  const page = await openPage(browser, at, await branched(at))
  const branch = page.getByRole("button", { name: /regular expressions/ })
  await branch.hover()
  const card = page.locator(".preview", { hasText: "Second, with regular expressions" })
  await card.waitFor()
  await branch.click()
  await page.getByText("This is a preview. Nothing has moved.").waitFor()
  await card.waitFor({ state: "detached" })
})
