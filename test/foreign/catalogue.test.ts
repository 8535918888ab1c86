// What lists remember of other agents' sessions: all of it comes back, and whatever else stands in the file does no harm.
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { expect, test } from "vitest"
import { type Known, ListingCache } from "../../src/foreign/list/listing-cache.ts"
import { sessionIdOf } from "../../src/formats/ids.ts"
import { temporaryFolder } from "../formats/read-session.ts"

const id = sessionIdOf("pi", "one")
const whole: Known = {
  bytes: 10,
  mtime: 1.5,
  glance: {
    name: "one",
    id,
    cwd: "/größe",
    title: "Ä – 日本",
    updated: "2026-01-01",
    from: { name: "two", as: "task" },
  },
}
const searched: Known = { ...whole, within: true }
const bare: Known = { bytes: 1, mtime: 2, glance: { name: "x", id, cwd: undefined, title: undefined } }
const none: Known = { bytes: 3, mtime: 4, glance: null }
const fileOf = (home: string) => join(home, "cache", "pi", "sessions.json")
const openIn = (home: string) => new ListingCache(home, "pi", "sessions")

/** A catalogue of these sessions, saved. */
function saved(all: Record<string, Known>): string {
  const home = temporaryFolder()
  const catalogue = openIn(home)
  for (const [key, known] of Object.entries(all)) catalogue.set(key, known)
  catalogue.save()
  return home
}

/** What is known when the file holds these rows. */
function knownOf(...rows: unknown[]): (Known | undefined)[] {
  const home = saved({ "/a": none })
  const { version } = JSON.parse(readFileSync(fileOf(home), "utf8")) as { version: number }
  writeFileSync(fileOf(home), JSON.stringify({ version, sessions: rows }))
  const catalogue = openIn(home)
  return rows.map((row) => catalogue.get(Array.isArray(row) ? String(row[0]) : ""))
}

test("what was set is known to the next list, in a file that only its owner may read", () => {
  const home = saved({ "/a": whole, "/b": bare, "/c": none, "/d": searched })
  const catalogue = openIn(home)
  const known = ["/a", "/b", "/c", "/d", "/e"].map((key) => catalogue.get(key))
  expect(known).toEqual([whole, bare, none, searched, undefined])
  expect(/^[\x20-\x7e]*$/.test(readFileSync(fileOf(home), "utf8"))).toBe(true)
  expect(statSync(dirname(fileOf(home))).mode & 0o777).toBe(0o700)
})

test("a list that asked for all and changed nothing writes nothing", () => {
  const home = saved({ "/a": whole })
  writeFileSync(fileOf(home), `${readFileSync(fileOf(home), "utf8")} `)
  const catalogue = openIn(home)
  catalogue.get("/a")
  catalogue.save()
  expect(readFileSync(fileOf(home), "utf8").endsWith(" ")).toBe(true)
})

test("what nobody asked for is gone after the next list, and what is set again is new", () => {
  const home = saved({ "/a": whole, "/b": bare })
  const catalogue = openIn(home)
  catalogue.get("/a")
  catalogue.save()
  expect(["/a", "/b"].map((key) => openIn(home).get(key))).toEqual([whole, undefined])
  const again = openIn(home)
  again.set("/a", none)
  again.save()
  expect(openIn(home).get("/a")).toEqual(none)
})

test("invalid rows are ignored", () => {
  expect(
    knownOf(["/a", "1", 2], ["/b", 1, "2"], ["/c", 1, 2, 3, id], ["/d", 1, 2, "n", "no id"], 7, [7, 1, 2]),
  ).toEqual(Array.from({ length: 6 }, () => undefined))
  const glance = { name: "n", id, cwd: undefined, title: undefined }
  expect(
    knownOf(["/a", 1, 2, "n", id, 5, 6, 7, 8, "task"], ["/b", 1, 2, "n", id, null, null, null, "m", "other"]),
  ).toEqual([
    { bytes: 1, mtime: 2, glance },
    { bytes: 1, mtime: 2, glance },
  ])
})

test.each(["", "not JSON", "[]", '{"version":1,"sessions":[["/a",1,2]]}', '{"sessions":7}'])(
  "a file that holds %j is empty",
  (text) => {
    const home = temporaryFolder()
    mkdirSync(dirname(fileOf(home)), { recursive: true })
    writeFileSync(fileOf(home), text)
    expect(openIn(home).get("/a")).toBeUndefined()
  },
)

test("a place that cannot be written to is not a problem", () => {
  const home = temporaryFolder()
  writeFileSync(join(home, "cache"), "a file")
  const catalogue = openIn(home)
  catalogue.set("/a", none)
  expect(() => catalogue.save()).not.toThrow()
})
