// The page over a real server, host, files and git, on a socket of its own. Only the model is scripted.
import { join } from "node:path"
import type { Browser, BrowserContextOptions, Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, expect, onTestFinished } from "vitest"
import { makeLibrary } from "../../src/app/library/library.ts"
import { isFolder } from "../../src/cli/serve/is-folder.ts"
import { pageFiles } from "../../src/cli/serve/page-files.ts"
import { browserKeys } from "../../src/cli/serve/token-file.ts"
import type { AnyStore } from "../../src/foreign/any-store.ts"
import type { PromptInput, WorkSession } from "../../src/protocol/host.ts"
import { listen } from "../../src/server/node/listen.ts"
import { makeServer, type Server } from "../../src/server/server.ts"
import { fileVoiceLogs } from "../../src/voice/file-voice-log.ts"
import type { LiveModel } from "../../src/voice/live-model.ts"
import { testApp, testStore } from "../any-store.ts"
import { talk } from "../app/talk.ts"
import type { Script, ScriptedAnswer } from "../test-host.ts"
import { LONGEST } from "../within.ts"

export const TOKEN = "token-of-the-test"

export type Talk = ReturnType<typeof talk>

export interface ServedPage extends Talk {
  url: string
  /** Ends the server as Ctrl-C does. */
  stop(): Promise<void>
  /** Starts it again at the same address, as another process would, which has a token of its own. */
  startAgain(token?: string): Promise<void>
}

/** `path`: where the programs of other agents are looked for. */
export async function servePage(
  answers: ScriptedAnswer[] | Script = [],
  { path, ...changes }: Parameters<typeof talk>[1] & { store?: AnyStore; path?: string } = {},
  model?: LiveModel,
): Promise<ServedPage> {
  const at = talk(answers, changes)
  const now = () => Date.now()
  const store = changes.store ?? testStore(at.home, join(at.home, "nobody"), now)
  const logs = fileVoiceLogs(join(at.home, "voice"), () => new Date())
  let server: Server | undefined
  let names = 0
  let token = TOKEN
  let { host } = at
  const make = (port: number) => {
    const name = `127.0.0.1:${port}`
    const app = testApp(at.home, at.root)
    const env = path === undefined ? app.env : { ...app.env, PATH: path }
    server = makeServer(host, makeLibrary({ ...app, env, store }), {
      token,
      version: "0",
      allowed: { hosts: [name], origins: [`http://${name}`] },
      now,
      isFolder,
      newName: () => `g${++names}`,
      page: pageFiles("dist/web"),
      browsers: browserKeys(at.home, port, now),
      voice: { logs, ...(model !== undefined && { model }) },
    })
    return server
  }
  let socket = await listen(make, { address: "127.0.0.1", port: 0 })
  const { port } = socket
  let stopped: Promise<void> | undefined
  const stop = () => (stopped ??= Promise.resolve(server?.close()).then(() => socket.close()))
  onTestFinished(stop)
  async function startAgain(now = TOKEN): Promise<void> {
    await stop()
    token = now
    host = at.elsewhere()
    socket = await listen(make, { address: "127.0.0.1", port })
    stopped = undefined
  }
  return { ...at, url: `http://127.0.0.1:${port}/`, stop, startAgain }
}

/** A session in which these were said, closed again. */
export async function said(at: Talk, ...prompts: (string | PromptInput)[]): Promise<WorkSession["id"]> {
  const session = await at.host.create({ cwd: at.root })
  for (const prompt of prompts) await session.send(typeof prompt === "string" ? { text: prompt } : prompt)
  await session.close()
  return session.id
}

/** The page with a session open, and its conversation there. */
export async function openPage(
  browser: TestBrowser,
  at: ServedPage,
  session: WorkSession["id"],
  options: Parameters<TestBrowser["open"]>[1] = {},
): Promise<Page> {
  const page = await browser.open(`${at.url}#token=${TOKEN}`, options)
  await page.evaluate(`location.hash = "#/s/${session}"`)
  await page.getByLabel("Message", { exact: true }).waitFor()
  return page
}

/** What was said on the screen, in order: "you: …" and "agent: …". */
export function conversation(page: Page): Promise<string[]> {
  const said = `[...document.querySelectorAll("article")].map((each) => {
    const words = each.querySelector(".text, .words, .name")?.textContent ?? ""
    return (each.getAttribute("aria-label") === "Agent" ? "agent: " : "you: ") + words.trim()
  })`
  return page.evaluate(said)
}

const { launchChromium } = (await import(new URL("../../scripts/chromium.mjs", import.meta.url).href)) as {
  launchChromium: () => Promise<Browser>
}

interface TestBrowser {
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

/** One browser for a file of tests. A test whose page logs an error fails, whatever else it looked at. */
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
