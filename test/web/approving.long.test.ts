// What the agent may do is asked on the page, whole.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { workIn } from "../../src/protocol/open-to-work.ts"
import { bash } from "../app/talk.ts"
import { openPage, said, servePage, useBrowser } from "./page-server.ts"

const browser = useBrowser()

test("a command is shown whole, with the rule that would be granted, before it is allowed", async () => {
  const command = "printf 'hello\\n' > said.txt && echo done"
  const at = await servePage(
    [{ text: "Start." }, { text: "I will write it.", ...bash(command) }, { text: "Written." }],
    {
      mode: "default",
    },
  )
  const page = await openPage(browser, at, await said(at, "Hello"))
  await page.getByLabel("Message", { exact: true }).fill("Write it")
  await page.getByRole("button", { name: "Send" }).click()
  const question = page.getByRole("region", { name: "What would happen" })
  await question.waitFor()
  await expect.poll(() => question.textContent()).toContain(command)
  await page.getByText("Bash(", { exact: false }).first().waitFor()
  await page.getByRole("button", { name: "Allow once" }).click()
  await page.getByText("Written.").waitFor()
  expect(readFileSync(join(at.root, "said.txt"), "utf8")).toBe("hello\n")
  await page.getByRole("button", { name: /^Bash/ }).click()
  await page.getByRole("region", { name: "Output of Bash" }).getByText("done").waitFor()
})

test("no, with a reason, reaches the model", async () => {
  const at = await servePage([{ text: "Start." }, bash("rm -rf stuff"), { text: "Then not." }], { mode: "default" })
  const page = await openPage(browser, at, await said(at, "Hello"))
  await page.getByLabel("Message", { exact: true }).fill("Remove it")
  await page.keyboard.press("Enter")
  await page.getByRole("button", { name: "No, because…" }).click()
  await page.getByLabel("Reason").fill("It is needed")
  await page.keyboard.press("Enter")
  await page.getByText("Then not.").waitFor()
  expect(JSON.stringify(at.model.requests.at(-1)?.messages)).toContain("It is needed")
})

test("a call that waits is shown as waiting, and a long rule takes the whole width", async () => {
  const command = `rm -rf ${"long ".repeat(60)}`
  const at = await servePage([{ text: "Start." }, bash(command), { text: "Then not." }], { mode: "default" })
  const page = await openPage(browser, at, await said(at, "Hello"))
  await page.getByLabel("Message", { exact: true }).fill("Remove it")
  await page.keyboard.press("Enter")
  await page.getByRole("button", { name: /^Bash.*waiting for you/ }).waitFor()
  await page.getByText("running…").waitFor({ state: "detached" })
  const grant = page.getByRole("list", { name: "For this session" }).getByRole("listitem").first()
  const [button, rule] = await Promise.all([
    grant.getByRole("button").boundingBox(),
    grant.locator(".rule").boundingBox(),
  ])
  expect(rule?.y).toBeGreaterThanOrEqual((button?.y ?? 0) + (button?.height ?? 0))
  await page.getByRole("button", { name: "No", exact: true }).click()
  await page.getByText("Then not.").waitFor()
  await page.getByText("waiting for you").waitFor({ state: "detached" })
})

const LONG = Array.from({ length: 80 }, (_, n) => `line ${n + 1}`).join("\n")

test("a long text says how much of it is not in view, until it has been", async () => {
  const write = { calls: [{ name: "Write", input: { path: "long.txt", content: LONG } }] }
  const at = await servePage([{ text: "Start." }, write, { text: "Written." }], { mode: "default" })
  const page = await openPage(browser, at, await said(at, "Hello"))
  await page.getByLabel("Message", { exact: true }).fill("Write it")
  await page.keyboard.press("Enter")
  const rest = page.getByText(/\d+ more lines below, of 8\d\./)
  await rest.waitFor()
  const show = page.getByRole("button", { name: "Show the rest", exact: true })
  await show.waitFor()
  const wide = page.getByRole("list", { name: "For this session" }).getByRole("button").first()
  expect(await wide.isDisabled()).toBe(true)
  const question = page.getByRole("region", { name: "What would happen" })
  const lines = async () => (await question.textContent())?.trimEnd().split("\n")
  await expect.poll(async () => (await lines())?.[0]).toMatch(/^new file .*long\.txt$/)
  await expect.poll(async () => (await lines())?.slice(1, 81)).toEqual(LONG.split("\n").map((line) => `+${line}`))
  const before = await rest.textContent()
  await page.keyboard.press("Alt+y")
  await expect.poll(() => rest.textContent()).not.toBe(before)
  await question.focus()
  await page.keyboard.press("End")
  await rest.waitFor({ state: "detached" })
  await show.waitFor({ state: "detached" })
  expect(await wide.isDisabled()).toBe(false)
  await page.keyboard.press("Alt+y")
  await page.getByText("Written.").waitFor()
  expect(readFileSync(join(at.root, "long.txt"), "utf8")).toContain("line 80")
})

test("a question takes the focus from an empty message, but not to an answer; a message being written keeps it", async () => {
  const at = await servePage([{ text: "Start." }, bash("rm -rf one"), bash("rm -rf two"), { text: "Then not." }], {
    mode: "default",
  })
  const page = await openPage(browser, at, await said(at, "Hello"))
  const message = page.getByLabel("Message", { exact: true })
  const focusedText = () => page.evaluate<string>("document.activeElement?.textContent?.trim().slice(0, 11) ?? ''")
  await message.fill("Remove it")
  await page.keyboard.press("Enter")
  await expect.poll(focusedText).toBe("Allow this?")
  await page.keyboard.press("Enter")
  expect(await page.getByRole("button", { name: "Allow once" }).count()).toBe(1)
  await page.keyboard.press("Tab")
  await page.keyboard.press("Tab")
  await expect.poll(focusedText).toBe("Allow once")
  await message.fill("In the middle of")
  await page.getByRole("button", { name: "No", exact: true }).click()
  await message.focus()
  await page.getByRole("region", { name: "What would happen" }).getByText("rm -rf two").waitFor()
  expect(await page.evaluate("document.activeElement.tagName")).toBe("TEXTAREA")
  await page.keyboard.press("Alt+a")
  await expect.poll(focusedText).toBe("Allow this?")
  await page.getByRole("button", { name: "No", exact: true }).click()
  await page.getByText("Then not.").waitFor()
})

test("what could be allowed beyond this call is offered with what it means, and look-alikes are marked", async () => {
  const command = "cd . && npm test -- c\u0430t.ts"
  const at = await servePage([{ text: "Start." }, bash(command), { text: "Then not." }], { mode: "default" })
  const page = await openPage(browser, at, await said(at, "Hello"))
  await page.getByLabel("Message", { exact: true }).fill("Test it")
  await page.keyboard.press("Enter")
  const offered = page.getByRole("list", { name: "For this session" }).getByRole("button")
  await expect
    .poll(() => offered.allTextContents())
    .toEqual([
      "Allow exactly this command, for this session",
      'Allow every `npm test …` (runs whatever the script "test" in package.json says, with any arguments), for this session',
      "Allow every command, whatever it does, for this session",
    ])
  const question = (await page.getByRole("region", { name: "What would happen" }).textContent()) ?? ""
  expect(question).toContain("It contains characters that look like others: \u0430 (U+0430) is not a.")
  expect(question).toContain("npm test -- c\u0430<U+0430>t.ts")
  await page.getByRole("button", { name: "No", exact: true }).click()
  await page.getByText("Then not.").waitFor()
})

test("a session that waits is on top, in the title and in words, from any other session, and one key leads there", async () => {
  const at = await servePage([{ text: "One." }, { text: "Start." }, bash("rm -rf stuff"), { text: "Then not." }], {
    mode: "default",
  })
  const quiet = await said(at, "Quiet one")
  const asks = await said(at, "Busy one")
  const page = await openPage(browser, at, asks)
  await page.getByLabel("Message", { exact: true }).fill("Remove it")
  await page.keyboard.press("Enter")
  await page.getByRole("heading", { name: /Allow this/ }).waitFor()
  await page.evaluate(`location.hash = "#/s/${quiet}"`)
  await page.getByText("One.", { exact: true }).waitFor()
  const list = page.getByRole("navigation", { name: "Sessions" })
  await list.getByRole("heading", { name: "Waiting for you" }).waitFor()
  await list.getByRole("link", { name: /Busy one.*waits for you/ }).waitFor()
  await expect.poll(() => page.title()).toBe("(1) Quiet one · retcon")
  await page
    .getByRole("status")
    .getByText("The agent waits for your answer in Busy one.")
    .waitFor({ state: "attached" })
  await page.getByRole("button", { name: "A session waits for your answer" }).waitFor()
  await page.keyboard.press("Alt+j")
  await page.getByRole("region", { name: "What would happen" }).getByText("rm -rf stuff").waitFor()
  await page.keyboard.press("Alt+r")
  await page.getByText("Then not.").waitFor()
  await list.getByRole("heading", { name: "Waiting for you" }).waitFor({ state: "detached" })
  await expect.poll(() => page.title()).toBe("Busy one · retcon")
})

test("who asked for notifications gets one for a session that waits, with its title and nothing else", async () => {
  const at = await servePage([{ text: "Start." }, bash("rm -rf secret-folder"), { text: "Then not." }], {
    mode: "default",
  })
  const id = await said(at, "Busy one")
  const page = await openPage(browser, at, id, { permissions: ["notifications"] })
  const notified = `globalThis.shown = []
    globalThis.Notification = class extends EventTarget {
      static permission = "granted"
      static requestPermission = async () => "granted"
      constructor(title, options) { super(); shown.push([title, options.body]) }
    }
    document.hasFocus = () => false`
  await page.evaluate(notified)
  await page.getByRole("button", { name: "More" }).click()
  await page.getByRole("menuitem", { name: "Notify me when a session waits" }).click()
  const elsewhere = await at.host.open(id)
  const sent = workIn(elsewhere).send({ text: "Remove it" })
  await expect.poll(() => page.evaluate("shown")).toEqual([["The agent waits for your answer", "Busy one"]])
  await page.keyboard.press("Alt+r")
  await sent
  await elsewhere.close()
})
