// How long a page was busy at a time: the longest task of its main thread in the browser's own trace, measured by the
// thread's CPU time. Other programs' CPU time does not count.
import type { Browser, Page } from "playwright-core"

interface TraceEvent {
  name: string
  pid: number
  tid: number
  /** In microseconds of the thread's own time. */
  tdur?: number
  args?: { name?: string }
}

const CATEGORIES = ["toplevel", "devtools.timeline", "disabled-by-default-devtools.timeline", "__metadata"]

/** In milliseconds. Contract: no other page of the browser is working meanwhile. */
export async function longestTask(browser: Browser, page: Page, act: () => Promise<void>): Promise<number> {
  await browser.startTracing(page, { categories: CATEGORIES })
  await act()
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] }
  const main = new Set(
    traceEvents
      .filter(({ name, args }) => name === "thread_name" && args?.name === "CrRendererMain")
      .map(({ pid, tid }) => `${pid} ${tid}`),
  )
  const tasks = traceEvents.filter(({ name, pid, tid }) => name.endsWith("RunTask") && main.has(`${pid} ${tid}`))
  if (tasks.every(({ tdur }) => tdur === undefined)) throw new Error("The trace has no times of the main thread")
  return tasks.reduce((longest, { tdur = 0 }) => Math.max(longest, tdur), 0) / 1000
}
