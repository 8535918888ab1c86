// Where Kimi Code keeps its sessions: a folder for each agent, with its wire file.
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { kimiCode } from "../../../src/formats/kimi-code/format.ts"
import { homeOf, WIRE } from "../../../src/formats/kimi-code/place.ts"
import { temporaryFolder } from "../read-session.ts"

test("each agent of a session that has a file is found, and no folder without one", () => {
  const homes = { home: temporaryFolder(), env: {} }
  const agents = join(homeOf(homes), "sessions/project/session-1/agents")
  for (const name of ["main", "helper"]) {
    mkdirSync(join(agents, name), { recursive: true })
    writeFileSync(join(agents, name, WIRE), "{}\n")
  }
  mkdirSync(join(agents, "empty"))
  const found = [...kimiCode.find(homes)].map(({ main }) => main)
  expect(found.sort()).toEqual([join(agents, "helper", WIRE), join(agents, "main", WIRE)])
})

test("a file is recognised by its header, whatever line that is in", () => {
  const header = { type: "metadata", protocol_version: "1.0", created_at: 1_790_000_000_000 }
  const path = join(temporaryFolder(), "agents", "main", WIRE)
  const detect = (text: string) => kimiCode.detect({ path, head: Buffer.from(text), names: undefined })
  expect(detect(`{}\n${JSON.stringify(header)}\n`)).toMatchObject({ main: path })
  expect(detect(`{}\n${JSON.stringify({ ...header, created_at: undefined })}\n`)).toBeUndefined()
})
