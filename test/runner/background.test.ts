import { expect, test } from "vitest"
import type { BackgroundJob } from "../../src/agent/process/jobs.ts"
import { parseEntryId } from "../../src/model/id.ts"
import { makeBackground } from "../../src/runner/port/background.ts"
import type { OpenSpan } from "../../src/session/files/known/call-snapshots.ts"

test("a command that runs is covered from mark to mark; one that has ended is not, so that a person's change is theirs", async () => {
  const log: string[] = []
  const span = { entry: parseEntryId("01890000-0000-7000-8000-000000000001"), call: "1" } as unknown as OpenSpan
  const files = {
    openSpan: async ({ call }: { call: string }) => {
      log.push(`open ${call}`)
      return span
    },
    closeSpan: async () => {
      log.push("close")
      return []
    },
  }
  // Nobody was told of its end yet.
  const background = makeBackground(files, { whenEnded: () => new Promise(() => {}) }, (error) =>
    expect.fail(String(error)),
  )
  const job: BackgroundJob = { id: "job-1", command: "serve", call: "1", file: "", ended: undefined }
  background.keep(job, span)
  await background.mark()
  expect(log).toEqual(["close", "open 1"])
  job.ended = { how: "exit", code: 0 } as BackgroundJob["ended"]
  await background.mark()
  await background.mark()
  expect(log).toEqual(["close", "open 1", "close"])
})

test("a person's own command alongside the agent's is covered until it ends, and no longer", async () => {
  const log: string[] = []
  const span = { entry: null, call: "own" } as unknown as OpenSpan
  const files = {
    openSpan: async () => {
      log.push("open")
      return span
    },
    closeSpan: async () => {
      log.push("close")
      return []
    },
  }
  const background = makeBackground(files, { whenEnded: () => new Promise(() => {}) }, (error) =>
    expect.fail(String(error)),
  )
  expect(await background.own("own", true, async () => "done")).toBe("done")
  await background.mark()
  expect(log).toEqual(["open", "close"])
})
