// The page's figures, in a real browser: how long it is busy at a time while a person scrolls or opens something large.
import { join } from "node:path"
import type { Page } from "playwright-core"
import type { Bench } from "../group.ts"
import { median } from "../timing.ts"
import { makeLongSession } from "./long-session.ts"
import { type OpenedBrowser, openBrowser } from "./opened-page.ts"

/** In milliseconds: beyond that, the page feels stuck. */
const LIMIT = 50
const SAMPLES = 5
const STEPS = 40
const WORDS = "<p>Some words about the matter at hand, as there are in most.</p>"
/** The floor: a page that only scrolls, with all of its text in the document. */
const PLAIN = `<div role="region" aria-label="Conversation" style="height:700px;overflow:auto">${WORDS.repeat(2000)}</div>`

export async function web(bench: Bench): Promise<void> {
  const home = join(bench.folder, "web")
  const browser = await openBrowser(home)
  try {
    const floor = await floorOf(browser)
    if (bench.wants("scroll")) await measureScrolling(bench, browser, home, floor)
    if (bench.wants("tree")) await measureTree(bench, browser, home, floor)
  } finally {
    await browser.close()
  }
}

async function floorOf(browser: OpenedBrowser): Promise<number[]> {
  const page = await browser.newPage()
  await page.setContent(PLAIN)
  const floor = await busyTimes(browser, page, (sample) => wheel(page, "Conversation", sample))
  await page.context().close()
  return floor
}

async function measureScrolling(bench: Bench, browser: OpenedBrowser, home: string, floor: number[]): Promise<void> {
  const page = await browser.newPage()
  await browser.open(page, await makeLongSession(home, { rounds: 10_000 }))
  await page.getByText("Answer 10000").waitFor()
  const ours = await busyTimes(browser, page, (sample) => wheel(page, "Conversation", sample))
  await page.context().close()
  report(bench, { figure: "longest task while scrolling", data: "20,000 messages", ours, floor, under: LIMIT })
}

async function measureTree(bench: Bench, browser: OpenedBrowser, home: string, floor: number[]): Promise<void> {
  const data = "100,000 entries"
  const id = await makeLongSession(home, { rounds: 50_000, leaveEvery: 100 })
  const page = await browser.newPage()
  const open = async () => {
    await browser.open(page, id)
    await page.getByRole("button", { name: "Prompt 50000", exact: true }).waitFor()
  }
  const opening = await busyTimes(browser, page, open, () => page.goto("about:blank"))
  report(bench, { figure: "longest task while opening", data, ours: opening, floor })
  await open()
  const scrolling = await busyTimes(browser, page, (sample) => wheel(page, "Branches", sample))
  report(bench, { figure: "longest task while scrolling the tree", data, ours: scrolling, floor, under: LIMIT })
  const looking = await busyTimes(browser, page, () => lookAround(page))
  report(bench, { figure: "longest task while looking at branches", data, ours: looking, floor, under: LIMIT })
  await page.context().close()
}

interface Busy {
  figure: string
  data: string
  ours: number[]
  floor: number[]
  under?: number
}

function report(bench: Bench, { ours, floor, ...about }: Busy): void {
  const best = { ours: Math.min(...ours), floor: Math.min(...floor) }
  bench.report({ ...about, ours: median(ours), floor: median(floor), unit: "ms", best })
}

/** The first sample does not count: the browser compiles what it runs then. */
async function busyTimes(
  browser: OpenedBrowser,
  page: Page,
  act: (sample: number) => Promise<void>,
  prepare: () => Promise<unknown> = async () => undefined,
): Promise<number[]> {
  const times: number[] = []
  for (let sample = -1; sample < SAMPLES; sample++) {
    await prepare()
    const busy = await browser.busy(page, () => act(sample))
    if (sample >= 0) times.push(busy)
  }
  return times
}

/** Alternately up and down, as fast as a wheel turns. */
async function wheel(page: Page, region: string, sample: number): Promise<void> {
  await page.getByRole("region", { name: region }).hover()
  for (let step = 0; step < STEPS; step++) {
    await page.mouse.wheel(0, sample % 2 === 0 ? -700 : 700)
    await page.evaluate("new Promise(requestAnimationFrame)")
  }
}

async function lookAround(page: Page): Promise<void> {
  const lines = page.getByRole("region", { name: "Branches" }).getByRole("button", { name: /^Prompt/ })
  for (const line of [3, 8, 1]) {
    await lines.nth(line).click()
    await page.evaluate("new Promise(requestAnimationFrame)")
  }
}
