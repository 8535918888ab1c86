// What all sessions of every agent took, to the token.
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, onTestFinished, test } from "vitest"
import { makeLibrary } from "../../../src/app/library/library.ts"
import type { UsageQuery } from "../../../src/protocol/library.ts"
import { testApp, testStore } from "../../any-store.ts"
import { MORE_USAGE_CASES, putUsageCase, USAGE_CASES, type UsageCase } from "./cases.ts"
import { GENERATED, generatedSessions, putGenerated } from "./generated.ts"

const NOW = Date.parse("2026-11-18T12:00:00Z")

function place() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "retcon-usage-")))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const [home, person] = [join(folder, "home"), join(folder, "person")]
  mkdirSync(person)
  mkdirSync(home)
  // Each call is a new process: it knows only what is on the disk.
  const usage = (query: UsageQuery = {}) => {
    const app = { ...testApp(home, folder), store: testStore(home, person, () => NOW) }
    return makeLibrary(app).usage(query)
  }
  return { folder, home, person, usage, pack: join(home, "cache", "requests.pack") }
}

const all = [...USAGE_CASES, ...MORE_USAGE_CASES]

describe("each request counts once", () => {
  for (const each of all) {
    test(`${each.agent}: ${each.name}`, async () => {
      const { person, usage } = place()
      putUsageCase(person, each)
      expect(await usage()).toMatchObject(each.truth)
      // What is remembered says the same.
      expect(await usage()).toMatchObject(each.truth)
    })
  }
})

/** A home in which every agent has sessions. */
const merged: Pick<UsageCase, "files"> = {
  files: { ...USAGE_CASES[1]?.files, ...USAGE_CASES[2]?.files, ...USAGE_CASES[5]?.files, ...USAGE_CASES[8]?.files },
}

const NOTHING = { requests: 0, input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }
type Counts = typeof NOTHING

function countsOf({ requests, input, output, cacheRead, cacheWrite }: Counts): Counts {
  return { requests, input, output, cacheRead, cacheWrite }
}

function plus(a: Counts, b: Counts): Counts {
  return {
    requests: a.requests + b.requests,
    input: a.input + b.input,
    output: a.output + b.output,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
  }
}

test("the rows of every division add up to the sum", async () => {
  const { person, usage } = place()
  putUsageCase(person, merged)
  const sum = await usage()
  expect(sum.requests).toBeGreaterThan(6)
  for (const by of ["day", "week", "month", "model", "agent", "project", "session"] as const) {
    const { rows, ...total } = await usage({ by: [by] })
    expect({ ...total, by: [] }).toEqual({ ...sum, rows: undefined })
    const added = rows.reduce(plus, NOTHING)
    expect({ by, ...added }).toEqual({ by, ...countsOf(sum) })
  }
  const both = await usage({ by: ["day", "agent"] })
  expect(new Set(both.rows.map(({ agent }) => agent))).toEqual(new Set(["claude-code", "codex", "pi"]))
})

/** What ccusage 20.0.24 counts of the same files: `npm run compare-usage`. */
const GENERATED_TRUTH = {
  "claude-code": { input: 7651, output: 267_104, cacheRead: 31_674_775, cacheWrite: 1_091_931 },
  codex: { input: 1_272_222, output: 110_819, cacheRead: 5_088_653, cacheWrite: 0 },
  pi: { input: 166_403, output: 63_564, cacheRead: 4_330_986, cacheWrite: 190_766 },
}

test("generated sessions of three agents: the same as ccusage, to the token", async () => {
  const { person, usage } = place()
  putGenerated(person, generatedSessions(GENERATED))
  for (const [agent, truth] of Object.entries(GENERATED_TRUTH)) expect(await usage({ agent })).toMatchObject(truth)
})

describe("what is remembered", () => {
  const session = Object.keys(USAGE_CASES[0]?.files ?? {})[0] ?? ""

  test("a file that grows is read again, and only that one", async () => {
    const { person, usage, pack } = place()
    putUsageCase(person, merged)
    await usage()
    const before = statSync(pack).size
    const { requests } = await usage()
    expect(statSync(pack).size).toBe(before)
    const line = {
      type: "assistant",
      uuid: "u",
      timestamp: "2026-11-11T00:00:00Z",
      message: { id: "msg_9", model: "claude-sonnet-5", usage: { output_tokens: 1000 } },
    }
    appendFileSync(join(person, session), `${JSON.stringify(line)}\n`)
    expect(await usage()).toMatchObject({ requests: requests + 1 })
    expect(statSync(pack).size - before).toBeLessThan(before)
  })

  test("a memory that is cut off, altered or of another version is only slower", async () => {
    const { person, usage, pack } = place()
    putUsageCase(person, merged)
    const truth = await usage()
    const good = readFileSync(pack)
    for (let n = 0; n < 40; n++) {
      const bytes = Buffer.from(good)
      const at = Math.floor((n / 40) * bytes.length)
      bytes[at] = (bytes[at] ?? 0) ^ (1 << (n % 8))
      writeFileSync(pack, bytes)
      if (n % 4 === 0) truncateSync(pack, at)
      expect(await usage()).toEqual(truth)
      expect(await usage()).toEqual(truth)
    }
    // Everything that was wrong has been replaced.
    expect(readFileSync(pack).length).toBeLessThanOrEqual(good.length)
  })

  test("a session that was removed counts no more", async () => {
    const { person, usage } = place()
    putUsageCase(person, merged)
    const { requests } = await usage({ agent: "claude-code" })
    rmSync(join(person, ".claude"), { recursive: true })
    expect(requests).toBeGreaterThan(0)
    expect(await usage({ agent: "claude-code" })).toMatchObject({ requests: 0, cost: 0, rows: [] })
  })

  test("two processes that count at the same time both count right", async () => {
    const { person, usage } = place()
    putUsageCase(person, merged)
    const [one, other] = await Promise.all([usage(), usage()])
    expect(one).toEqual(other)
    expect(await usage()).toEqual(one)
  })
})

test("numbers that cannot be true, and lines that are no answers, do no harm", async () => {
  const { person, usage } = place()
  putUsageCase(person, { files: USAGE_CASES[0]?.files ?? {} })
  const folder = join(person, ".claude/projects/-home-dev-p")
  const counts = [-5, 1e300, "7", null, 1.4, {}]
  const lines = counts.map((output_tokens, n) =>
    JSON.stringify({
      type: "assistant",
      uuid: `u${n}`,
      sessionId: "cccccccc-0000-4000-8000-000000000003",
      timestamp: n === 1 ? "not a time" : "2026-11-10T10:00:00Z",
      message: { id: `msg_odd${n}`, model: "m".repeat(10), usage: { input_tokens: -1, output_tokens } },
    }),
  )
  writeFileSync(
    join(folder, "cccccccc-0000-4000-8000-000000000003.jsonl"),
    [...lines, '{"type":"assistant"', "[]", '{"type":"assistant","message":7}'].join("\n"),
  )
  const answer = await usage({ by: ["model"] })
  expect(answer.rows.find(({ model }) => model === "claude-sonnet-5")).toMatchObject({ requests: 2, output: 120 })
  for (const { input, output } of answer.rows)
    expect(input >= 0 && output >= 0 && Number.isSafeInteger(output)).toBe(true)
})

describe("days", () => {
  const zone = process.env.TZ
  const in_ = (name: string) => {
    process.env.TZ = name
    onTestFinished(() => void (zone === undefined ? delete process.env.TZ : (process.env.TZ = zone)))
  }
  const put = (person: string, times: readonly string[]) => {
    const file = join(person, ".claude/projects/-p/aaaaaaaa-0000-4000-8000-000000000001.jsonl")
    const lines = times.map((timestamp, n) =>
      JSON.stringify({
        type: "assistant",
        uuid: `u${n}`,
        isSidechain: false,
        parentUuid: null,
        sessionId: "aaaaaaaa-0000-4000-8000-000000000001",
        cwd: "/p",
        timestamp,
        message: {
          id: `msg_${n}`,
          role: "assistant",
          content: [],
          model: "claude-sonnet-5",
          usage: { output_tokens: 1 },
        },
      }),
    )
    putUsageCase(person, { files: {} })
    mkdirSync(join(file, ".."), { recursive: true })
    writeFileSync(file, `${lines.join("\n")}\n`)
  }

  test("are those of this machine's clock, also when it is put back", async () => {
    in_("Europe/Berlin")
    const { person, usage } = place()
    // 25 October 2026 has 25 hours: from 22:00 UTC to 23:00 UTC of the next day.
    put(person, [
      "2026-10-24T21:59:00Z",
      "2026-10-24T22:01:00Z",
      "2026-10-25T00:30:00Z",
      "2026-10-25T01:30:00Z",
      "2026-10-25T22:59:00Z",
      "2026-10-25T23:01:00Z",
    ])
    const days = async (query: UsageQuery) =>
      (await usage({ by: ["day"], ...query })).rows.map(({ day, requests }) => [day, requests])
    expect(await days({})).toEqual([
      ["2026-10-24", 1],
      ["2026-10-25", 4],
      ["2026-10-26", 1],
    ])
    expect(await days({ utc: true })).toEqual([
      ["2026-10-24", 2],
      ["2026-10-25", 4],
    ])
    expect((await usage({ by: ["week"] })).rows.map(({ week, requests }) => [week, requests])).toEqual([
      ["2026-10-19", 5],
      ["2026-10-26", 1],
    ])
  })

  test("begin at a quarter of an hour where the clock does", async () => {
    in_("Asia/Kathmandu")
    const { person, usage } = place()
    put(person, ["2026-11-10T18:14:00Z", "2026-11-10T18:16:00Z"])
    expect((await usage({ by: ["day"] })).rows.map(({ day }) => day)).toEqual(["2026-11-10", "2026-11-11"])
    expect(await usage({ since: "2026-11-10T18:15:00Z" })).toMatchObject({ requests: 1 })
    expect(await usage({ until: "2026-11-10T18:15:00Z" })).toMatchObject({ requests: 1 })
  })
})
