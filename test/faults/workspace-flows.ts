// Snapshots and restores of a person's files.
import { randomBytes } from "node:crypto"
import { join } from "node:path"
import { recordEvent } from "../../src/app/recording/record-event.ts"
import { ourLogFile } from "../../src/foreign/log/our-paths.ts"
import { sessionIdOf } from "../../src/formats/ids.ts"
import { hooksOf } from "../../src/hooks/all-hooks.ts"
import { systemOptions } from "../../src/session/state/system.ts"
import { openGitWorkspace } from "../../src/workspace/git/git-workspace.ts"
import { parseSnapshotId, type Workspace } from "../../src/workspace/port.ts"
import { door } from "./door.ts"
import type { Flow } from "./machine.ts"
import type { Place } from "./place.ts"
import { said } from "./store-flows.ts"

const fs = door.real

function openFiles(place: Place, root = place.cwd): Promise<Workspace> {
  const newId = () => randomBytes(8).toString("hex")
  return openGitWorkspace({ root, home: place.home, session: "one", clock: () => Date.now(), newId })
}

/** What the last acknowledged snapshot holds, as a new process sees it: the files that differ from those on the disk. */
async function held(place: Place, root: string): Promise<unknown> {
  const noted = join(place.folder, "acknowledged")
  if (!fs.existsSync(noted)) return "none"
  const told = JSON.parse(fs.readFileSync(noted, "utf8")) as { id: string; notCovered: string[] }
  const id = parseSnapshotId(told.id)
  if (id === undefined) return "none"
  // What cannot be read is left out, and named.
  const isNamed = (path: string) => told.notCovered.some((each) => path === each || path.startsWith(`${each}/`))
  const files = await openFiles(place, root)
  try {
    const wrong: string[] = []
    const names = fs.readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    for (const { parentPath, name } of names) {
      const file = join(parentPath, name)
      const path = file.slice(root.length + 1)
      if (isNamed(path)) continue
      const blob = await files.blob(id, path)
      if (blob === undefined || !fs.readFileSync(file).equals(blob)) wrong.push(file)
    }
    return { files: names.length, wrong }
  } finally {
    await files.close()
  }
}

/** The workspace stays open from one step to the next, with its helper thread. */
function snapshot(place: Place, root: string) {
  return place.answer(async () => {
    const files = await place.open(
      () => openFiles(place, root),
      (opened) => opened.close(),
    )
    const { id, notCovered } = await files.snapshot()
    fs.writeFileSync(
      join(place.folder, "acknowledged"),
      JSON.stringify({ id, notCovered: notCovered.map(({ path }) => path) }),
    )
  })
}

function copy(place: Place, name: string) {
  return place.answer(async () => {
    const files = await openFiles(place)
    try {
      const { id } = await files.snapshot()
      await files.copy({ snapshot: id, name })
    } finally {
      await files.close()
    }
  })
}

/** The complete ones, with their files. */
function copiesThere({ home }: Place): unknown {
  const places = join(home, "attempts")
  const names = fs.existsSync(places) ? fs.readdirSync(places).sort() : []
  return names.flatMap((name) => {
    const mark = join(places, name, "copy.json")
    const complete = fs.existsSync(mark) && fs.readFileSync(mark, "utf8").includes('"complete":true')
    return complete ? [[name, filesIn(join(places, name, "files"))]] : []
  })
}

const FEW = { "a.txt": "one\n", "b/c.txt": "two\n", "b/d.txt": "three\n".repeat(500) }

function put(folder: string, files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    fs.mkdirSync(join(folder, name, ".."), { recursive: true })
    fs.writeFileSync(join(folder, name), text)
  }
}

const many = ({ folder }: Place) => join(folder, "../many")

/** Enough for the helper thread, and for one pack instead of many files. */
const MANY = Object.fromEntries(Array.from({ length: 1_600 }, (_, i) => [`d${i % 40}/f${i}`, `content of ${i}\n`]))

function filesIn(folder: string): Record<string, string> {
  const names = fs.readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = names.map(({ parentPath, name }) => join(parentPath, name)).sort()
  return Object.fromEntries(paths.map((path) => [path.slice(folder.length), fs.readFileSync(path, "utf8")]))
}

/** The conversation and the files together, once a new process has finished or taken back what was begun. */
async function both(place: Place): Promise<unknown> {
  await place.retcon("diff --stat")
  return [await said(place), filesIn(place.cwd)]
}

async function twoRounds(place: Place): Promise<void> {
  put(place.cwd, { "own.txt": "mine\n", "old.txt": "old\n".repeat(50) })
  const prompts = [
    "create a.txt with one",
    "run echo two > a.txt; rm old.txt; mkdir new; echo x > new/b.txt; echo y > c.txt",
  ]
  for (const [i, prompt] of prompts.entries()) {
    const { exit, err } = await place.retcon(["run", "--mode", "yolo", ...(i === 0 ? [] : ["--continue"]), prompt])
    if (exit !== 0) throw new Error(err)
  }
}

/** A restore that is recorded is completed by the next process if tidying up failed. */
const RESTORING = /\.retcon-restore-|restore\.journal/

const CLAUDE = hooksOf("claude-code")

/** What Claude Code tells a hook program. */
async function hook(place: Place, name: string, more: object): Promise<void> {
  const told = { hook_event_name: name, session_id: "one", cwd: place.cwd, prompt_id: "p1", ...more }
  const event = CLAUDE?.read(told)
  if (CLAUDE === undefined || event === undefined) throw new Error("Claude Code has no such hook.")
  const { ids } = systemOptions()
  await recordEvent(CLAUDE, event, {
    home: place.home,
    now: () => Date.now(),
    ids,
    openWorkspace: ({ root }) => openFiles(place, root),
  })
}

const WRITES = ({ cwd }: Place) => ({
  tool_name: "Write",
  tool_use_id: "c1",
  tool_input: { file_path: join(cwd, "a.txt") },
})

async function hooked(place: Place): Promise<unknown> {
  const file = ourLogFile(place.home, "claude-code", sessionIdOf("claude-code", "one"))
  const lines = fs.existsSync(file) ? fs.readFileSync(file, "utf8").split("\n") : []
  return lines.flatMap((line) => /"when":"\w+"/.exec(line.endsWith("}") ? line : "") ?? [])
}

export const WORKSPACE_FLOWS: readonly Flow[] = [
  {
    name: "snapshot of a few files",
    prepare: async (place) => put(place.cwd, FEW),
    act: (place) => snapshot(place, place.cwd),
    next: (place) => snapshot(place, place.cwd),
    look: (place) => held(place, place.cwd),
  },
  {
    name: "snapshot of many files",
    most: 2,
    prepare: async (place) => put(many(place), MANY),
    act: (place) => snapshot(place, many(place)),
    next: (place) => snapshot(place, many(place)),
    look: (place) => held(place, many(place)),
  },
  {
    name: "a copy of the folder",
    prepare: async (place) => put(place.cwd, FEW),
    act: (place) => copy(place, "first"),
    next: (place) => copy(place, "second"),
    look: async (place) => copiesThere(place),
    // What cannot be removed either has its mark, which says that it is not complete.
    finishes: /attempts/,
  },
  {
    name: "back with files",
    prepare: twoRounds,
    act: (place) => place.retcon("back --files restore"),
    next: (place) => place.retcon("goto @1 --files restore"),
    look: both,
    finishes: RESTORING,
    // What cannot be read is not covered: it is left as it is, and named.
    alsoRight: (_, { out }) => /^Kept as it is: .*not covered by snapshots/m.test(out),
  },
  {
    name: "a turn",
    most: 2,
    prepare: twoRounds,
    act: (place) => place.retcon(["run", "--mode", "yolo", "--continue", "create d.txt with d"]),
    next: (place) => place.retcon(["run", "--mode", "yolo", "--continue", "create e.txt with e"]),
    look: both,
    // It goes as far as it can, and says what failed; what was said until then is there.
    alsoRight: (found, { err }) =>
      door.isDead() || (/✗|could not be|not covered/.test(err) && found.includes('"create d.txt with d"')),
  },
  {
    name: "revert of a round",
    most: 2,
    prepare: twoRounds,
    act: (place) => place.retcon("revert @2"),
    next: (place) => place.retcon("goto @1 --files restore"),
    look: both,
    finishes: RESTORING,
    // What cannot be read is not covered: it is left as it is, and named.
    alsoRight: (_, { out }) => /^Kept as it is: .*not covered by snapshots/m.test(out),
  },
  {
    name: "a round that was taken back, brought again",
    most: 2,
    async prepare(place) {
      await twoRounds(place)
      await place.retcon("revert @2")
    },
    act: (place) => place.retcon("bring @2"),
    next: (place) => place.retcon("goto @1 --files restore"),
    look: both,
    finishes: RESTORING,
    alsoRight: (_, { out }) => /^Kept as it is: .*not covered by snapshots/m.test(out),
  },
  {
    name: "recovery of a restore that was killed",
    async prepare(place) {
      await twoRounds(place)
      place.keep()
      door.arm("dead", Number.MAX_SAFE_INTEGER)
      await place.retcon("back --files restore")
      const { calls } = door.disarm()
      await place.reset()
      door.arm("dead", Math.floor(calls * 0.6))
      await place.retcon("back --files restore")
      door.disarm()
      await place.die()
    },
    act: (place) => place.retcon("diff --stat"),
    next: (place) => place.retcon("goto @1 --files restore"),
    look: both,
    finishes: RESTORING,
  },
  {
    name: "a hook call",
    prepare: async (place) => put(place.cwd, FEW),
    act: (place) => place.answer(() => hook(place, "UserPromptSubmit", { prompt: "hello" })),
    next: (place) => place.answer(() => hook(place, "Stop", {})),
    look: hooked,
  },
  {
    name: "a hook call when a call ends",
    async prepare(place) {
      put(place.cwd, FEW)
      await hook(place, "UserPromptSubmit", { prompt: "hello" })
      await hook(place, "PreToolUse", WRITES(place))
      put(place.cwd, { "a.txt": "two\n" })
    },
    act: (place) => place.answer(() => hook(place, "PostToolUse", WRITES(place))),
    next: (place) => place.answer(() => hook(place, "Stop", {})),
    look: hooked,
  },
]
