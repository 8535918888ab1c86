// Branches, labels, and two branches side by side.
import { expect, test } from "vitest"
import { workIn } from "../../src/protocol/open-to-work.ts"
import { conversation, openPage, said, servePage, useBrowser } from "./page-server.ts"

const browser = useBrowser()
const TWO = [{ text: "One." }, { text: "Two." }, { text: "Other." }]

test("a label is given, shown in the conversation and in the tree, and taken away", async () => {
  const at = await servePage(TWO)
  const page = await openPage(browser, at, await said(at, "First", "Second"))
  const tree = page.getByRole("complementary", { name: "Tree of branches" })
  const menu = async () => {
    await page.getByRole("button", { name: "What to do here" }).first().click()
    await page.getByRole("menuitem", { name: /abel…/ }).click()
  }
  await menu()
  await page.getByRole("dialog").waitFor()
  await page.keyboard.type("before-it-broke")
  await page.keyboard.press("Enter")
  await page.getByRole("article", { name: "You" }).first().getByText("before-it-broke").waitFor()
  await tree.getByText("before-it-broke").waitFor()
  await menu()
  await page.getByRole("dialog").getByLabel("Name").fill("")
  await page.getByRole("button", { name: "Save" }).click()
  await tree.getByText("before-it-broke").waitFor({ state: "detached" })
})

test("a branch from a prompt is a separate session, with that prompt to edit", async () => {
  const at = await servePage(TWO)
  const id = await said(at, "First", "Second")
  const page = await openPage(browser, at, id)
  await page.getByText("Two.").waitFor()
  await page.getByRole("button", { name: "What to do here" }).last().click()
  await page.getByRole("menuitem", { name: "Branch from here" }).click()
  await page.getByText("This is a copy.", { exact: false }).waitFor()
  expect(page.url()).not.toContain(id)
  await expect.poll(() => conversation(page)).toEqual(["you: First", "agent: One."])
  await expect.poll(() => page.getByLabel("Message", { exact: true }).inputValue()).toBe("Second")
})

test("two branches side by side, from where they part, with their files", async () => {
  const write = (content: string) => ({ calls: [{ name: "Write", input: { path: "a.txt", content } }] })
  const at = await servePage([
    { text: "One." },
    write("left\n"),
    { text: "Left." },
    write("right\n"),
    { text: "Right." },
  ])
  const id = await said(at, "First", "Go left")
  const session = await at.host.open(id)
  await session.label("head", "leftwards")
  await session.back({ files: "restore" })
  await workIn(session).send({ text: "Go right" })
  await session.close()
  const page = await openPage(browser, at, id)
  await page.getByRole("button", { name: /Go left/ }).focus()
  await page.keyboard.press("c")
  const dialog = page.getByRole("dialog")
  await dialog.getByText("Your branch and “leftwards” parted after round 1.").waitFor()
  const [here, there] = ["Where you are", "leftwards"].map((name) => dialog.getByRole("region", { name, exact: true }))
  await here?.getByText("Right.").waitFor()
  await there?.getByText("Left.").waitFor()
  for (const side of [here, there]) {
    const facts = (await side?.locator("dl").innerText())?.replace(/\s+/g, " ")
    expect(facts).toMatch(/^Prompts 1 Steps 2 Tool calls 1 Files changed 1 Lines \+1 −0 /)
    expect(facts).toMatch(/ Cost (\$|not known)/)
  }
  const both = dialog.getByRole("region", { name: "Changed on both, differently" })
  await both.getByText("a.txt", { exact: true }).waitFor()
  const diff = dialog.getByRole("region", { name: "Changes to a.txt" })
  await expect.poll(() => diff.textContent()).toContain("-right\n+left")
  await page.keyboard.press("Escape")
  await dialog.waitFor({ state: "detached" })
})
