// Speaking in the page: with a live model over its real protocol, and with the browser's own recogniser.
import type { Page } from "playwright-core"
import { expect, test } from "vitest"
import { geminiLive } from "../../src/voice/gemini-live.ts"
import { type FakeGeminiLive, fakeGeminiLive } from "../voice/fake-gemini-live.ts"
import { conversation, openPage, said, servePage, useBrowser } from "./page-server.ts"

const browser = useBrowser()
const ANSWERS = [{ text: "one" }, { text: "two" }, { text: "three" }]

test("“go back” to the browser's recogniser does what the button does, and what was said stays, also after a reload", async () => {
  const at = await servePage(ANSWERS)
  const page = await openPage(browser, at, await said(at, "first", "second"))
  await stubRecogniser(page)
  const speak = page.getByRole("button", { name: "Speak" })
  await expect.poll(() => speak.getAttribute("title")).toContain("send the audio to Google and Microsoft")
  await speak.click()
  await says(page, "Go back.")
  await page.getByText("Went back").first().waitFor()
  await expect.poll(() => conversation(page)).toEqual(["you: first", "agent: one"])
  await expect.poll(() => page.getByLabel("Message", { exact: true }).inputValue()).toBe("second")
  await says(page, "go back")
  await page.getByText("This is the first round").first().waitFor()
  await expect.poll(() => conversation(page)).toEqual(["you: first", "agent: one"])
  await says(page, "redo")
  await page.getByText("Went forward again").first().waitFor()
  await expect.poll(() => conversation(page)).toHaveLength(4)
  await page.getByRole("button", { name: "Stop listening" }).click()
  await expect
    .poll(() => logged(page))
    .toEqual([
      "You Go back.",
      expect.stringContaining("Went back."),
      "You go back",
      expect.any(String),
      "You redo",
      expect.any(String),
    ])
  const before = await logged(page)
  await page.reload()
  await expect.poll(() => logged(page)).toEqual(before)
})

test("what is no command is a prompt, and the agent answers", async () => {
  const at = await servePage(ANSWERS)
  const page = await openPage(browser, at, await said(at, "first"))
  await stubRecogniser(page)
  await page.keyboard.press("Alt+v")
  await says(page, "go back to using tabs")
  await page.getByText("two", { exact: true }).waitFor()
  await expect
    .poll(() => conversation(page))
    .toEqual(["you: first", "agent: one", "you: go back to using tabs", "agent: two"])
})

test("a live model hears the microphone; its call goes back, is answered, and makes no tool card", async () => {
  const { page, gemini } = await live("first", "second")
  expect(await gemini.receives("realtimeInput")).toMatchObject({ audio: { mimeType: "audio/pcm;rate=16000" } })
  gemini.hearsAndCalls("Go back, please.", "go_back")
  expect(await answer(gemini)).toMatchObject({ ok: true })
  await page.getByText("Go back, please.").waitFor()
  await page.getByText("Went back").first().waitFor()
  await expect.poll(() => conversation(page)).toEqual(["you: first", "agent: one"])
  gemini.hearsAndCalls("Again.", "go_back")
  expect(await answer(gemini)).toMatchObject({ ok: false, say: expect.stringContaining("first round") })
  await expect.poll(() => conversation(page)).toEqual(["you: first", "agent: one"])
  gemini.send({ serverContent: { modelTurn: { parts: [{ inlineData: { data: "AAAA", mimeType: "audio/pcm" } }] } } })
  gemini.send({ serverContent: { outputTranscription: { text: "We are at the start." }, turnComplete: true } })
  await page.getByText("We are at the start.").waitFor()
  gemini.end("quota")
  await page.getByRole("alert").filter({ hasText: "quota" }).waitFor()
  await page.getByRole("button", { name: "Speak" }).waitFor()
})

async function live(...prompts: string[]): Promise<{ page: Page; gemini: FakeGeminiLive }> {
  const gemini = await fakeGeminiLive()
  const at = await servePage(ANSWERS, {}, geminiLive({ key: "key-of-the-server", baseUrl: gemini.url }))
  const page = await openPage(browser, at, await said(at, ...prompts))
  const speak = page.getByRole("button", { name: "Speak" })
  await page.locator("[aria-label=Speak][title*=Gemini]").waitFor()
  await speak.click()
  await page.getByRole("button", { name: "Stop listening" }).waitFor()
  expect(await page.content()).not.toContain("key-of-the-server")
  return { page, gemini }
}

async function answer(gemini: FakeGeminiLive): Promise<unknown> {
  const response = (await gemini.receives("toolResponse")) as { functionResponses: { response: unknown }[] }
  return response.functionResponses[0]?.response
}

/** The browser's recogniser needs a network: this one hears what a test says. */
async function stubRecogniser(page: Page): Promise<void> {
  await page.locator("[aria-label=Speak][title*=browser]").waitFor()
  await page.evaluate(`
    globalThis.webkitSpeechRecognition = globalThis.SpeechRecognition = class extends EventTarget {
      start() {
        globalThis.heard = (transcript) => {
          const results = [Object.assign([{ transcript }], { isFinal: true })]
          this.dispatchEvent(Object.assign(new Event("result"), { resultIndex: 0, results }))
        }
      }
      stop() { this.dispatchEvent(new Event("end")) }
    }`)
}

async function says(page: Page, text: string): Promise<void> {
  await page.getByRole("button", { name: "Stop listening" }).waitFor()
  await page.evaluate(`globalThis.heard(${JSON.stringify(text)})`)
}

/** The lines of the voice log, each with who said it. */
function logged(page: Page): Promise<string[]> {
  return page
    .locator("[aria-label='Voice log'] li")
    .allInnerTexts()
    .then((all) => all.map((each) => each.replace(/\s+/g, " ")))
}

test("a microphone that listens is seen to, also under the mouse that switched it on", async () => {
  const at = await servePage(ANSWERS)
  const page = await openPage(browser, at, await said(at, "first"))
  await stubRecogniser(page)
  await page.getByRole("button", { name: "Speak" }).click()
  const listening = page.getByRole("button", { name: "Stop listening" })
  await listening.hover()
  const colours = `(() => {
    const { color, backgroundColor } = getComputedStyle(document.querySelector("[aria-label='Stop listening']"))
    const of = (name) => {
      const probe = document.body.appendChild(document.createElement("i"))
      probe.style.color = "var(" + name + ")"
      const value = getComputedStyle(probe).color
      probe.remove()
      return value
    }
    return [color === of("--ground"), backgroundColor === of("--bad")]
  })()`
  await expect.poll(() => page.evaluate(colours)).toEqual([true, true])
})
