import { appendFileSync, existsSync, readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { fileVoiceLogs } from "../../src/voice/file-voice-log.ts"
import { temporaryFolder } from "../formats/read-session.ts"

const now = () => new Date("2026-11-16T12:00:00Z")

it("keeps what was said, in order, for later readers", async () => {
  const folder = join(temporaryFolder(), "voice")
  const log = fileVoiceLogs(folder, now)("s1")
  await Promise.all([log.append("person", "go back"), log.append("retcon", "Went back.")])
  const lines = await fileVoiceLogs(folder, now)("s1").read()
  expect(lines).toEqual([
    { line: 1, at: "2026-11-16T12:00:00.000Z", by: "person", text: "go back" },
    { line: 2, at: "2026-11-16T12:00:00.000Z", by: "retcon", text: "Went back." },
  ])
})

it("continues after a line that a killed process left torn", async () => {
  const folder = join(temporaryFolder(), "voice")
  await fileVoiceLogs(folder, now)("s1").append("person", "one")
  const [file = ""] = readdirSync(folder)
  appendFileSync(join(folder, file), '{"line":2,"at":"2026')
  const log = fileVoiceLogs(folder, now)("s1")
  expect((await log.append("person", "two")).line).toBe(2)
  expect((await log.read()).map(({ text }) => text)).toEqual(["one", "two"])
  expect(readFileSync(join(folder, file), "utf8")).toContain('{"line":2,"at":"2026\n')
})

it("is for its owner's eyes, and no id leads out of its folder", async () => {
  const root = temporaryFolder()
  const folder = join(root, "voice")
  await fileVoiceLogs(folder, now)("../../x").append("person", "one")
  await fileVoiceLogs(folder, now)("..").append("person", "two")
  expect(readdirSync(folder)).toHaveLength(2)
  expect(readdirSync(root)).toEqual(["voice"])
  expect(existsSync(join(root, "..", "x.jsonl"))).toBe(false)
  for (const file of readdirSync(folder)) expect(statSync(join(folder, file)).mode & 0o077).toBe(0)
})
