import { mkdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { expect, test } from "vitest"
import { writeClaudeFile } from "../../bench/foreign/claude-file.ts"
import { type Served, served } from "./served.ts"

const MB = 1_000_000
/** In nearly every line. */
const FREQUENT = "parser"

interface Found {
  sessions: { hits: object[] }[]
}

/** A server over a session of this size. */
async function overLongSession(bytes: number): Promise<Served> {
  const at = await served()
  const folder = join(dirname(at.home), ".claude", "projects", "-work")
  mkdirSync(folder, { recursive: true })
  writeClaudeFile(join(folder, "7aaef370-c7b1-4fb3-acc5-b922e1583b82.jsonl"), { bytes, lines: "short" })
  await at.ask("/api/sessions")
  return at
}

function search({ ask }: Served, signal?: AbortSignal): Promise<Response> {
  return ask(`/api/search?text=${FREQUENT}&ofOne=30`, signal === undefined ? {} : { signal })
}

/** The processes that this one has started. */
function childrenOf(pid: number): string[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim()
  return text === "" ? [] : text.split(" ")
}

test("others are answered while a frequent word is searched in a long session", async () => {
  const at = await overLongSession(40 * MB)
  const searching = search(at).then((response) => response.json() as Promise<Found>)
  let others = 0
  for (let found: object | undefined; found === undefined; others++) {
    const other = at.ask("/api/openapi.json").then(({ status }) => expect(status).toBe(200))
    found = await Promise.race([searching, other.then(() => undefined)])
    await other
  }
  expect((await searching).sessions[0]?.hits).toHaveLength(30)
  // A server that searches by itself answers the one before it and the one after it.
  expect(others).toBeGreaterThan(5)
})

test.runIf(process.platform === "linux")("a search ends with its client, and with the server", async () => {
  const at = await overLongSession(80 * MB)
  const client = new AbortController()
  const gone = search(at, client.signal).catch((error: Error) => error.name)
  await expect.poll(() => childrenOf(at.pid)).toHaveLength(1)
  client.abort()
  expect(await gone).toBe("AbortError")
  await expect.poll(() => childrenOf(at.pid)).toEqual([])
  const cut = search(at).then(
    async (response) => (response.ok ? ((await response.json()) as Found).sessions : []),
    () => [],
  )
  await expect.poll(() => childrenOf(at.pid)).toHaveLength(1)
  const [searching] = childrenOf(at.pid)
  expect(await at.stop()).toBe(0)
  expect(await cut).toEqual([])
  expect(() => readFileSync(`/proc/${searching}/stat`)).toThrow(/ENOENT/)
  expect(at.err()).toBe("")
})
