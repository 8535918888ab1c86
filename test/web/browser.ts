// One browser for a file of tests. A test whose page logs an error fails, whatever else it looked at.
import type { Browser, BrowserContextOptions, Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, expect } from "vitest"
import { LONGEST } from "../within.ts"

const { launchChromium } = (await import(new URL("../../scripts/chromium.mjs", import.meta.url).href)) as {
  launchChromium: () => Promise<Browser>
}

export interface TestBrowser {
  /** A page of its own storage, closed after the test. */
  open(url: string, options?: BrowserContextOptions): Promise<Page>
  /** In this test such errors are meant to happen, up to its end: the browser itself logs each request that fails. */
  expectErrors(pattern: RegExp): void
}

/**
 * Messages do not go by themselves: on a slow machine one would be gone before it is seen, and one that must go at once
 * would have gone anyway by the time somebody looks.
 */
const MESSAGES_STAY = `{
  const { setTimeout } = globalThis
  const goes = [6_000, 12_000]
  globalThis.setTimeout = (run, ms, ...rest) => setTimeout(run, goes.includes(ms) ? 2 ** 31 - 1 : ms, ...rest)
}`

export function useBrowser(): TestBrowser {
  let browser: Browser
  let errors: string[] = []
  let expected: RegExp | undefined
  beforeAll(async () => {
    browser = await launchChromium()
  })
  afterAll(() => browser.close())
  afterEach(async () => {
    for (const context of browser.contexts()) await context.close()
    const found = errors.filter((error) => expected?.test(error) !== true)
    errors = []
    expected = undefined
    expect(found.join("\n")).toBe("")
  })
  return {
    async open(url, options = {}) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options })
      const page = await context.newPage()
      page.setDefaultTimeout(LONGEST)
      await page.addInitScript(MESSAGES_STAY)
      page.on("pageerror", (error) => errors.push(error.stack ?? error.message))
      page.on("console", (message) => {
        if (message.type() === "error" || message.type() === "warning") errors.push(message.text())
      })
      page.on("request", (request) => {
        if (new URL(request.url()).origin !== new URL(url).origin && !/^(data|blob):/.test(request.url()))
          errors.push(`asks elsewhere: ${request.url()}`)
      })
      await page.goto(url)
      return page
    },
    expectErrors(pattern) {
      expected = pattern
    },
  }
}
