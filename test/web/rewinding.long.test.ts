// Rewind to something that was said, with the files or without.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { openPage, said, servePage, useBrowser } from "./page-server.ts"

const browser = useBrowser()

test("rewind with files: the dry run names them, and then they are as they were", async () => {
  const write = (content: string) => ({ calls: [{ name: "Write", input: { path: "note.txt", content } }] })
  const at = await servePage([write("one\n"), { text: "One." }, write("two\n"), { text: "Two." }])
  const page = await openPage(browser, at, await said(at, "Write one", "Write two"))
  const file = join(at.root, "note.txt")
  await page.getByText("Two.").waitFor()
  await page.getByRole("button", { name: "What to do here" }).last().click()
  await page.getByRole("menuitem", { name: "Rewind here…" }).click()
  const dialog = page.getByRole("dialog")
  await dialog.getByLabel("Conversation and files").check()
  await dialog.getByText("modified").waitFor()
  const diff = dialog.getByRole("region", { name: "Changes to note.txt" })
  await expect.poll(async () => (await diff.textContent())?.split("\n").slice(1, 3)).toEqual(["-two", "+one"])
  expect(readFileSync(file, "utf8")).toBe("two\n")
  await dialog.getByRole("button", { name: "Rewind" }).click()
  await page
    .getByRole("status")
    .getByText(/Rewound/)
    .waitFor()
  expect(readFileSync(file, "utf8")).toBe("one\n")
  await expect.poll(() => page.getByLabel("Message", { exact: true }).inputValue()).toBe("Write two")
  await page.getByRole("button", { name: "Undo" }).click()
  await page.getByText("Two.").waitFor()
  expect(readFileSync(file, "utf8")).toBe("two\n")
})

test("what the dialog shows, and what Rewind would do, is always the plan of the choice made", async () => {
  const write = (content: string) => ({ calls: [{ name: "Write", input: { path: "note.txt", content } }] })
  const at = await servePage([write("one\n"), { text: "One." }, write("two\n"), { text: "Two." }])
  const page = await openPage(browser, at, await said(at, "Write one", "Write two"))
  await page.getByText("Two.").waitFor()
  await page.getByRole("button", { name: "What to do here" }).last().click()
  await page.getByRole("menuitem", { name: "Rewind here…" }).click()
  const dialog = page.getByRole("dialog")
  const rewind = dialog.getByRole("button", { name: "Rewind" })
  const planned = dialog.getByText("left behind. They stay in the tree")
  await planned.waitFor()
  await expect.poll(() => rewind.isDisabled()).toBe(false)
  let answer: () => void = () => undefined
  const held = new Promise<void>((settle) => (answer = settle))
  await page.route("**/goto", async (route) => {
    await held
    await route.continue()
  })
  await dialog.getByLabel("Conversation and files").check()
  await dialog.getByText("Working out what would happen…").waitFor()
  await planned.waitFor({ state: "detached" })
  await expect.poll(() => rewind.isDisabled()).toBe(true)
  answer()
  await dialog.getByText("modified").waitFor()
  await expect.poll(() => rewind.isDisabled()).toBe(false)
})
