import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { expect, test } from "vitest"
import { ScannedSession } from "../../../src/foreign/scan/scanned-session.ts"
import { aider } from "../../../src/formats/aider/format.ts"
import type { SessionPlace } from "../../../src/formats/port.ts"
import { formatContract } from "../contract.ts"
import { lineTraps } from "../line-traps.ts"
import { contextOf, NOTHING_OURS, promptsOf, readSession, temporaryFolder } from "../read-session.ts"

const SAMPLE = join(import.meta.dirname, "samples", "history.txt")
const NO_LOOK = { head: Buffer.alloc(0), tail: Buffer.alloc(0), read: () => undefined }

formatContract(aider, [{ path: SAMPLE, prompts: ["u1 hello\nwith two lines", "/ask u2 what is in it?"] }], {
  grows: null,
})

lineTraps(aider, join(import.meta.dirname, "samples", "exported.jsonl"))

test("each run of Aider is a session, where a variable says where the file is; nothing is searched for it", async () => {
  const path = join(temporaryFolder(), "history.md")
  copyFileSync(SAMPLE, path)
  expect([...aider.find({ home: dirname(path), env: {} })]).toEqual([])
  const places = [...aider.find({ home: "/nowhere", env: { AIDER_CHAT_HISTORY_FILE: path } })]
  expect(places.map(({ within }) => within)).toEqual(["2026-11-17 09:00:00", "2026-11-18 20:00:00"])
  const glances = places.map((place) => aider.glance(place, NO_LOOK))
  expect(glances.map((glance) => glance?.title)).toEqual(["/add a.txt", "u1 hello\nwith two lines"])
  expect(glances[0]?.cwd).toBe(dirname(path))
  expect(glances[0]?.id).not.toBe(glances[1]?.id)
  const first = new ScannedSession(await aider.open(places[0] as (typeof places)[0]), NOTHING_OURS)
  first.load()
  expect(promptsOf(first.history)).toEqual(["u0 an earlier run"])
})

test("what Aider tells the person is not for the model, and a command of the person is no prompt", async () => {
  const { history } = await readSession(aider, SAMPLE)
  expect(contextOf(history).filter((text) => /Applied|Tokens|Aider v/.test(text))).toEqual([])
  expect(promptsOf(history)).not.toContain("!ls")
})

test("two runs that began in the same second are two sessions; files of anything are read", async () => {
  const path = join(temporaryFolder(), ".aider.chat.history.md")
  const run = "# aider chat started at 2026-11-18 20:00:00\n#### one\nyes\n"
  writeFileSync(path, `before\n${run}${run}# aider chat started at never\n\u0000\n####\n>\n#### x`)
  const places = [...aider.find({ home: "/", env: { AIDER_CHAT_HISTORY_FILE: path } })]
  expect(new Set(places.map((place) => aider.glance(place, NO_LOOK)?.id)).size).toBe(3)
  expect(promptsOf((await readSession(aider, path)).history)).toEqual(["x"])
  writeFileSync(path, "")
  expect(aider.detect({ path, head: Buffer.alloc(0), names: undefined })).toBeUndefined()
})

test("a copy of a session reads the same, and is listed once the session is gone", async () => {
  const [home, folder] = [temporaryFolder(), temporaryFolder()]
  const path = join(folder, "history.md")
  copyFileSync(SAMPLE, path)
  const homes = { home, env: { AIDER_CHAT_HISTORY_FILE: path } }
  const place = [...aider.find(homes)][1] as SessionPlace
  const copy = aider.exported?.(place, homes)
  const file = copy?.file ?? ""
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, copy?.bytes() ?? "")
  expect([...aider.find(homes)]).toHaveLength(2)
  rmSync(path)
  expect([...aider.find(homes)].map((each) => each.path)).toEqual([file])
  const { history } = await readSession(aider, file)
  expect(promptsOf(history)).toEqual(["u1 hello\nwith two lines", "/ask u2 what is in it?"])
  const head = readFileSync(file)
  const glance = aider.glance({ path: file, main: file }, { head, tail: head, read: () => undefined })
  expect(glance).toMatchObject({ cwd: folder, title: "u1 hello\nwith two lines" })
})
