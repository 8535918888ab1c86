// Each rule of layers.json, seen through the checker's own messages: one sample that breaks it, one that keeps it.
import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"

/** The rooms of the samples: a room may import those before it. */
const ROOMS = {
  "src/history": [".", "rows", "plan"],
  "src/store": [".", "slug", "utils"],
  "src/formats": ["x"],
  web: ["."],
}

let project: string
beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), "retcon-layers-"))
  const table = JSON.parse(readFileSync("layers.json", "utf8")) as object
  writeFileSync(join(project, "layers.json"), JSON.stringify({ ...table, rooms: ROOMS }))
})
afterEach(() => rmSync(project, { recursive: true }))

/** The checker is plain JavaScript: it runs before anything is built. */
const { checkProject } = (await import(new URL("../../scripts/layers/violations.mjs", import.meta.url).href)) as {
  checkProject: (project: string) => { files: number; violations: string[] }
}

function write(files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(project, path)), { recursive: true })
    writeFileSync(join(project, path), text)
  }
}

interface Sample {
  rule: string
  breaks: Record<string, string>
  says: string[]
  keeps: Record<string, string>
}

const samples: Sample[] = [
  {
    rule: "a folder imports only what its row of the table lists",
    breaks: { "src/history/tree.ts": '// tree\nimport { open } from "../store/open.ts"\nopen()\n' },
    says: ['src/history/tree.ts:2: "history" may not import "store" (layers.json)'],
    keeps: { "src/store/open.ts": 'import { tree } from "../history/tree.ts"\ntree()\n' },
  },
  {
    rule: "types, lazy imports and re-exports are imports too",
    breaks: {
      "src/model/id.ts": [
        'import type { Tree } from "../history/tree.ts"',
        'export { open } from "../store/open.ts"',
        'export const later = () => import("../session/open.ts")',
        'export type Late = import("../workspace/port.ts").Workspace',
      ].join("\n"),
    },
    says: [
      'src/model/id.ts:1: "model" may not import "history" (layers.json)',
      'src/model/id.ts:2: "model" may not import "store" (layers.json)',
      'src/model/id.ts:3: "model" may not import "session" (layers.json)',
      'src/model/id.ts:4: "model" may not import "workspace" (layers.json)',
    ],
    keeps: { "src/cli/main.ts": 'export const later = () => import("../session/open.ts")\n' },
  },
  {
    rule: "the browser UI reaches the program only through the client",
    breaks: { "web/app.ts": 'import { open } from "../src/store/open.ts"\nopen()\n' },
    says: ['web/app.ts:1: "web" may not import "store" (layers.json)'],
    keeps: { "web/app.ts": 'import { connect } from "../src/client/connect.ts"\nconnect()\n' },
  },
  {
    rule: "nothing in src imports tests or scripts",
    breaks: { "src/store/open.ts": 'import "../../test/store/tree.ts"\n' },
    says: ['src/store/open.ts:1: "store" may not import "test/store/tree.ts" (layers.json)'],
    keeps: { "src/cli/version.ts": 'import about from "../../package.json"\nabout\n' },
  },
  {
    rule: "every folder of src has a row in the table",
    breaks: { "src/extras/a.ts": "export const a = 1\n" },
    says: ['src/extras/a.ts:1: "src/extras" has no row in the table (layers.json)'],
    keeps: { "src/protocol/a.ts": "export const a = 1\n" },
  },
  {
    rule: "the published entry imports only the engine",
    breaks: { "src/index.ts": 'export { run } from "./runner/run.ts"\n' },
    says: ['src/index.ts:1: "index.ts" may not import "runner" (layers.json)'],
    keeps: { "src/index.ts": 'export { open } from "./session/open.ts"\n' },
  },
  {
    rule: "no folder is a drawer for everything",
    breaks: { "src/store/utils/slug.ts": "export const a = 1\n" },
    says: ['src/store/utils/slug.ts:1: no folder may be called "utils": name what is in it (folders)'],
    keeps: { "src/store/slug/slug.ts": "export const a = 1\n" },
  },
  {
    rule: "only the command line reads environment, arguments and home",
    breaks: {
      "src/store/home.ts": [
        'import { homedir } from "node:os"',
        "export const home = process.env.RETCON_HOME ?? homedir()",
        "export const name = process.argv[1]",
        'export const shell = process["env"]["SHELL"]',
        "export const { env } = process",
      ].join("\n"),
    },
    says: [
      "src/store/home.ts:1: homedir belongs in cli only (environment)",
      "src/store/home.ts:2: process.env belongs in cli only (environment)",
      "src/store/home.ts:3: process.argv belongs in cli only (environment)",
      "src/store/home.ts:4: process.env belongs in cli only (environment)",
      "src/store/home.ts:5: process.env belongs in cli only (environment)",
    ],
    keeps: {
      "src/cli/home.ts": 'import os from "node:os"\nexport const home = process.env.RETCON_HOME ?? os.homedir()\n',
      "src/store/pid.ts": "export const pid = process.pid\n",
    },
  },
  {
    rule: "clock and randomness are passed in",
    breaks: {
      "src/session/append.ts": [
        'import { randomUUID } from "node:crypto"',
        'import { v7 } from "uuid"',
        "export const at = [Date.now(), new Date(), Math.random(), randomUUID(), v7(), crypto.randomUUID()]",
      ].join("\n"),
    },
    says: [
      "src/session/append.ts:1: randomUUID belongs in cli, session/state/system.ts, store/file/file-store.ts, foreign/agents-store.ts, web/page/clock.ts only (clock)",
      "src/session/append.ts:2: v7() of uuid without a time and random bytes belongs in cli, session/state/system.ts, store/file/file-store.ts, foreign/agents-store.ts, web/page/clock.ts only (clock)",
      "src/session/append.ts:3: Date.now belongs in cli, session/state/system.ts, store/file/file-store.ts, foreign/agents-store.ts, web/page/clock.ts only (clock)",
      "src/session/append.ts:3: new Date() belongs in cli, session/state/system.ts, store/file/file-store.ts, foreign/agents-store.ts, web/page/clock.ts only (clock)",
      "src/session/append.ts:3: Math.random belongs in cli, session/state/system.ts, store/file/file-store.ts, foreign/agents-store.ts, web/page/clock.ts only (clock)",
      "src/session/append.ts:3: crypto.randomUUID belongs in cli, session/state/system.ts, store/file/file-store.ts, foreign/agents-store.ts, web/page/clock.ts only (clock)",
    ],
    keeps: {
      "src/cli/clock.ts": "export const now = () => Date.now()\n",
      "src/model/id.ts": 'import { v7 } from "uuid"\nexport const id = (msecs: number) => v7({ msecs })\n',
      "src/model/time.ts": "export const iso = (at: number) => new Date(at).toISOString()\n",
    },
  },
  {
    rule: "index.ts is a published entry and an explicit list",
    breaks: {
      "src/store/index.ts": 'export { open } from "./open.ts"\n',
      "src/index.ts": 'export * from "./model/id.ts"\nexport const version = 1\n',
    },
    says: [
      "src/index.ts:1: index.ts may hold only: export { names } from (index)",
      "src/index.ts:2: index.ts may hold only: export { names } from (index)",
      "src/store/index.ts:1: index.ts is for published entry points only (index)",
    ],
    keeps: { "src/index.ts": 'export { id } from "./model/id.ts"\nexport type { Id } from "./model/id.ts"\n' },
  },
  {
    rule: "JSON is parsed in the model and in the formats",
    breaks: { "src/store/read.ts": 'export const value = JSON.parse("1")\n' },
    says: ["src/store/read.ts:1: JSON.parse belongs in model, formats only (json)"],
    keeps: {
      "src/model/json.ts": 'export const value = JSON.parse("1")\n',
      "src/formats/x/read.ts": 'export const value = JSON.parse("1")\n',
    },
  },
  {
    rule: "no error is swallowed",
    breaks: {
      "src/store/close.ts": "try {\n  close()\n} catch {\n  // a comment handles nothing\n}\nclose().catch(() => {})\n",
    },
    says: [
      "src/store/close.ts:3: a catch block may not be empty (catch)",
      "src/store/close.ts:6: .catch() may not swallow the error (catch)",
    ],
    keeps: { "src/store/close.ts": "try {\n  close()\n} catch (error) {\n  damage.push(error)\n}\n" },
  },
  {
    rule: "model and history do no I/O",
    breaks: {
      "src/model/read.ts": 'import { readFileSync } from "node:fs"\nreadFileSync("x")\n',
      "src/history/run.ts": 'import { spawn } from "child_process"\nspawn("x")\n',
    },
    says: [
      'src/history/run.ts:1: "history" is pure and may not import "child_process" (pure)',
      'src/model/read.ts:1: "model" is pure and may not import "node:fs" (pure)',
    ],
    keeps: {
      "src/model/hash.ts": 'import { createHash } from "node:crypto"\ncreateHash("sha256")\n',
      "src/store/read.ts": 'import { readFileSync } from "node:fs"\nreadFileSync("x")\n',
    },
  },
  {
    rule: "a room imports only the rooms before it, and no folder is a room by accident",
    breaks: {
      "src/history/rows/rows.ts": 'import { plan } from "../plan/plan.ts"\nplan()\n',
      "src/history/tree.ts": 'export type { Rows } from "./rows/rows.ts"\n',
      "src/history/words/say.ts": 'import { plan } from "../plan/plan.ts"\nexport const say = plan\n',
    },
    says: [
      'src/history/rows/rows.ts:1: "rows" may not import "plan", which comes after it among the rooms of "src/history" (rooms)',
      'src/history/tree.ts:1: "." may not import "rows", which comes after it among the rooms of "src/history" (rooms)',
      'src/history/words/say.ts:1: "words" is not among the rooms of "src/history": add it to "rooms" in layers.json, after the rooms that it imports (rooms)',
    ],
    keeps: {
      "src/history/plan/plan.ts":
        'import { rows } from "../rows/rows.ts"\nimport { tree } from "../tree.ts"\nrows(tree)\n',
      "src/store/slug/slug.ts": 'import { rows } from "../../history/rows/rows.ts"\nrows()\n',
    },
  },
  {
    rule: "no file imports itself by way of others, types included",
    breaks: {
      "src/model/a.ts": 'import type { B } from "./b.ts"\nexport const a: B = 1\n',
      "src/model/b.ts": 'import type { C } from "./c.ts"\nexport type B = C\n',
      "src/model/c.ts": 'import type { a } from "./a.ts"\nexport type C = typeof a\n',
    },
    says: [
      "src/model/a.ts:1: imports itself: src/model/a.ts → src/model/b.ts → src/model/c.ts → src/model/a.ts (cycles)",
    ],
    keeps: {
      "src/model/a.ts": 'import type { B } from "./b.ts"\nimport type { C } from "./c.ts"\nexport type A = B | C\n',
      "src/model/b.ts": 'import type { C } from "./c.ts"\nexport type B = C\n',
      "src/model/c.ts": "export type C = 1\n",
    },
  },
  {
    rule: "the scripts of a component count as code, on their own lines",
    breaks: {
      "web/App.svelte":
        '<script module>\nimport "../src/store/open.ts"\n</script>\n<p>import "x"</p>\n<script lang="ts">\nDate.now()\n</script>\n',
    },
    says: [
      'web/App.svelte:2: "web" may not import "store" (layers.json)',
      "web/App.svelte:6: Date.now belongs in cli, session/state/system.ts, store/file/file-store.ts, foreign/agents-store.ts, web/page/clock.ts only (clock)",
    ],
    keeps: { "web/App.svelte": '<script>\nimport "../src/model/id.ts"\n</script>\n<p>Date.now()</p>\n' },
  },
  {
    rule: "an import names a file, so that it can be followed",
    breaks: { "src/model/a.ts": 'import { b } from "./b"\nexport const a = b\n' },
    says: ['src/model/a.ts:1: "./b" does not name a file: add its extension (imports)'],
    keeps: { "src/model/a.ts": 'import { b } from "./b.ts"\nexport const a = b\n' },
  },
  {
    rule: "a type may be exported in a list, and an enum is a type too",
    breaks: {
      "src/app/a.ts": "interface View {}\nenum Plan {}\nexport type { View, Plan as Move }\n",
      "src/model/b.ts": "export type View = 1\nexport enum Move {}\n",
    },
    says: [
      'src/model/b.ts:1: "View" is the name of another type in src/app/a.ts (names)',
      'src/model/b.ts:1: "Move" is the name of another type in src/app/a.ts (names)',
    ],
    keeps: {
      "src/app/a.ts":
        'import type { View } from "../model/b.ts"\nconst Move = 1\nexport type { View }\nexport { Move }\n',
      "src/model/b.ts": "export type View = 1\ntype Move = 2\n",
    },
  },
  {
    rule: "no two files export types of one name",
    breaks: { "src/app/a.ts": "export interface View {\n}\n", "src/model/b.ts": "export type View = 1\n" },
    says: ['src/model/b.ts:1: "View" is the name of another type in src/app/a.ts (names)'],
    keeps: {
      "src/app/a.ts": 'export type { View } from "../model/b.ts"\n',
      "src/model/b.ts": "export type View = 1\n",
    },
  },
]

describe.each(samples)("$rule", ({ breaks, says, keeps }) => {
  test("a violation is named with its file, line and rule", () => {
    write(breaks)
    expect(checkProject(project).violations).toEqual(says)
  })

  test("what keeps the rule passes", () => {
    write(keeps)
    expect(checkProject(project).violations).toEqual([])
  })
})

describe("the command", () => {
  const run = () => spawnSync(process.execPath, ["scripts/check-layers.mjs", project], { encoding: "utf8" })

  test("prints each violation and fails", () => {
    write({ "src/history/tree.ts": 'import { open } from "../store/open.ts"\nopen()\n' })
    const { stdout, status } = run()
    expect(stdout).toBe(
      'src/history/tree.ts:1: "history" may not import "store" (layers.json)\n1 files, 1 violations\n',
    )
    expect(status).toBe(1)
  })

  test("says how many files it read and succeeds", () => {
    write({ "src/history/tree.ts": "export const tree = 1\n" })
    const { stdout, status } = run()
    expect(stdout).toBe("1 files, 0 violations\n")
    expect(status).toBe(0)
  })
})
