// The built program's server over a home made for the bench, and a browser that opens its page.
import { spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import type { Browser, Page } from "playwright-core"
import { longestTask } from "./longest-task.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))
const { launchChromium } = (await import(new URL("../../scripts/chromium.mjs", import.meta.url).href)) as {
  launchChromium: () => Promise<Browser>
}

export interface OpenedBrowser {
  /** An empty page. */
  newPage(): Promise<Page>
  open(page: Page, session: string): Promise<void>
  /** The longest task of the page while it does this, in milliseconds. */
  busy(page: Page, act: () => Promise<void>): Promise<number>
  close(): Promise<void>
}

export async function openBrowser(home: string): Promise<OpenedBrowser> {
  const env = { PATH: process.env.PATH, HOME: home, RETCON_HOME: home }
  const words = ["serve", "--port", "0", "--no-open", "--json", "--model", "practice"]
  const server = spawn(process.execPath, [`${root}dist/cli.cjs`, ...words], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
  })
  const ended = new Promise((done) => server.on("close", done))
  const line = await new Promise<string>((done) => server.stdout.once("data", (text) => done(String(text))))
  const { url, token } = JSON.parse(line) as { url: string; token: string }
  const browser = await launchChromium()
  return {
    async newPage() {
      const page = await (await browser.newContext({ viewport: { width: 1360, height: 860 } })).newPage()
      page.setDefaultTimeout(60_000)
      return page
    },
    async open(page, session) {
      // Leave the page first: it reloads itself when it gets a token, which would end what is being evaluated.
      await page.goto("about:blank")
      await page.goto(`${url}/#token=${token}`)
      await page.evaluate(`location.hash = "#/s/${session}"`)
    },
    busy: (page, act) => longestTask(browser, page, act),
    async close() {
      await browser.close()
      server.kill("SIGINT")
      await ended
    },
  }
}
