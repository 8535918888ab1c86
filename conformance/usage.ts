// npm run compare-usage: what retcon counts and what ccusage counts, of the same files: the cases of the test suite, and generated homes.
// Without ids of requests, which some gateways leave out, ccusage counts every piece of an answer: generated answers have one.
import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { allRequests } from "../src/app/digest/session-requests.ts"
import { usage } from "../src/app/library/usage.ts"
import type { UsageRow } from "../src/protocol/library.ts"
import { testApp, testStore } from "../test/any-store.ts"
import { putUsageCase, USAGE_CASES } from "../test/app/usage/cases.ts"
import { GENERATED, generatedSessions, putGenerated } from "../test/app/usage/generated.ts"
import { install } from "./install.ts"

const PROGRAM = { name: "ccusage", packages: { ccusage: "20.0.24" } }
const CACHE = join(import.meta.dirname, "../.cache/conformance")

interface Counted {
  input: number
  output: number
  cacheRead: number
  cacheWrite: number
}

const folder = mkdtempSync(join(tmpdir(), "retcon-compare-"))
const program = join(install(PROGRAM, CACHE), "node_modules/.bin/ccusage")
let different = 0
try {
  for (const [n, each] of USAGE_CASES.entries()) {
    const home = join(folder, `case-${n}`)
    putUsageCase(home, each)
    await compare(`${each.agent}: ${each.name}`, home)
  }
  const generated = [GENERATED, ...[2, 3].map((seed) => ({ ...GENERATED, seed, sessions: 300, requests: 120 }))]
  for (const options of generated) {
    const { seed } = options
    const home = join(folder, `generated-${seed}`)
    putGenerated(home, generatedSessions(options))
    for (const agent of ["claude-code", "codex", "pi"]) await compare(`generated ${seed}: ${agent}`, home, agent)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.exitCode = different === 0 ? 0 : 1

/** Day by day. */
async function compare(name: string, home: string, agent?: string): Promise<void> {
  const ours = await counted(home, agent)
  const theirs = ccusage(home, agent)
  const same = JSON.stringify(ours) === JSON.stringify(theirs)
  if (!same) different++
  const total = Object.values(theirs).reduce(added, { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 })
  process.stdout.write(
    `${same ? "the same" : "DIFFERENT"}  ${name}: ${Object.keys(ours).length} days, ${JSON.stringify(total)}\n`,
  )
  if (!same) process.stdout.write(`  retcon  ${JSON.stringify(ours)}\n  ccusage ${JSON.stringify(theirs)}\n`)
}

function added(a: Counted, b: Counted): Counted {
  const sum = (name: keyof Counted) => a[name] + b[name]
  return { input: sum("input"), output: sum("output"), cacheRead: sum("cacheRead"), cacheWrite: sum("cacheWrite") }
}

async function counted(person: string, agent?: string): Promise<Record<string, Counted>> {
  const home = join(folder, "retcon", String(Math.random()))
  const app = { ...testApp(home, folder), store: testStore(home, person, () => Date.now()) }
  await allRequests(app)
  const { rows } = await usage(app, { by: ["day"], utc: true, ...(agent !== undefined && { agent }) })
  return Object.fromEntries(rows.map((row) => [row.day ?? "", countsOf(row)]))
}

function countsOf({ input, output, cacheRead, cacheWrite }: UsageRow): Counted {
  return { input, output, cacheRead, cacheWrite }
}

function ccusage(person: string, agent?: string): Record<string, Counted> {
  const none = join(folder, "none")
  for (const each of ["projects", "sessions"]) mkdirSync(join(none, each), { recursive: true })
  const at = (name: string, own: string) => (agent === undefined || agent === name ? join(person, own) : none)
  for (const each of [".claude/projects", ".codex/sessions", ".pi/agent/sessions"])
    mkdirSync(join(person, each), { recursive: true })
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: none,
    TZ: "UTC",
    CLAUDE_CONFIG_DIR: at("claude-code", ".claude"),
    CODEX_HOME: at("codex", ".codex"),
    PI_AGENT_DIR: at("pi", ".pi/agent/sessions"),
  }
  const { stdout, stderr, status } = spawnSync(program, ["daily", "--json", "--offline"], {
    env,
    encoding: "utf8",
    maxBuffer: 1e8,
  })
  if (status !== 0) throw new Error(`ccusage: ${stderr}`)
  const { daily } = JSON.parse(stdout) as { daily: Record<string, number & string>[] }
  return Object.fromEntries(
    daily.map((day) => [
      day.period,
      {
        input: day.inputTokens,
        output: day.outputTokens,
        cacheRead: day.cacheReadTokens,
        cacheWrite: day.cacheCreationTokens,
      },
    ]),
  ) as Record<string, Counted>
}
