// What holds among the formats.
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { expect, test } from "vitest"
import { foreignStore } from "../../../src/foreign/foreign-store.ts"
import { keptFolder } from "../../../src/foreign/keep/kept-paths.ts"
import { FORMATS } from "../../../src/formats/all/formats.ts"
import { agentTitle } from "../../../src/model/agent-title.ts"
import { temporaryFolder } from "../read-session.ts"

const loaded = await Promise.all(FORMATS.map((format) => format.load()))

test("the list says of each format what is true of it", () => {
  expect(loaded.map(({ agent, write }) => ({ agent, creates: write !== undefined }))).toEqual(
    FORMATS.map(({ agent, creates }) => ({ agent, creates })),
  )
})

test("a format whose agent is not on this machine is not loaded", async () => {
  const [home, person] = [temporaryFolder(), temporaryFolder()]
  const asked: string[] = []
  const formats = FORMATS.map((format) => ({ ...format, load: () => (asked.push(format.agent), format.load()) }))
  const store = (env = {}) => foreignStore({ home, homes: { home: person, env }, formats, now: () => 0 })
  const agents = async (env?: Record<string, string>) => (await store(env).list(), asked.splice(0))
  expect(await agents()).toEqual([])
  mkdirSync(join(person, ".pi"))
  expect(await agents({ CODEX_HOME: "/elsewhere", KIMI_CODE_HOME: "" })).toEqual(["codex", "pi"])
  mkdirSync(keptFolder(home, "neovate"), { recursive: true })
  expect(await agents()).toEqual(["neovate", "pi"])
})

test("formats are in the order of their names, and named as everywhere", () => {
  const agents = FORMATS.map(({ agent }) => agent)
  expect(agents).toEqual(agents.toSorted())
  const titles = `Aider, Claude Code, Cline, Codex, GitHub Copilot CLI, Crush, Cursor, Factory Droid, Gemini CLI, Goose, Kilo Code, Kimi CLI, Kimi Code,
    Klaude Code, Neovate Code, opencode, pi, Qwen Code, Roo Code`
  expect(agents.map(agentTitle)).toEqual(titles.split(/,\s+/))
})

/** Every file and folder that stands in the samples of an agent. */
function* samplesOf(folder: string): Generator<string> {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    yield path
    if (statSync(path).isDirectory()) yield* samplesOf(path)
  }
}

const HERE = dirname(import.meta.dirname)
const samples = FORMATS.map(({ agent }) => ({ agent, folder: join(HERE, agent, "samples") })).filter(({ folder }) =>
  existsSync(folder),
)

test.each(samples)("a session of $agent is not one of another agent", ({ agent, folder }) => {
  const found = new Set<string>()
  for (const path of samplesOf(folder)) {
    const isFolder = statSync(path).isDirectory()
    const head = isFolder ? undefined : readFileSync(path).subarray(0, 64 * 1024)
    const names = isFolder ? readdirSync(path) : undefined
    for (const format of loaded) {
      if (format.detect({ path, head, names }) !== undefined) found.add(`${format.agent}: ${basename(path)}`)
    }
  }
  expect([...found].filter((each) => !each.startsWith(`${agent}: `))).toEqual([])
  expect(found.size).toBeGreaterThan(0)
})
