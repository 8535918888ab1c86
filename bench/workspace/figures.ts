// How long snapshots and restores take, against `git status` in the same tree and the same run.

import { spawnSync } from "node:child_process"
import { randomBytes } from "node:crypto"
import fs from "node:fs"
import os from "node:os"
import nodePath from "node:path"
import { openGitWorkspace } from "../../src/workspace/git/open.ts"
import type { SnapshotId, Workspace } from "../../src/workspace/port.ts"

/** Median milliseconds; `ratio` is ours over floor, and must not be above `limit`. */
export type Row = { figure: string; ours: number; floor: number; ratio: number; limit: number }

const PER_FOLDER = 25

/** Every figure of the workspace, on a work tree of 10,000 files, or 100,000. */
export async function workspaceFigures({ large = false }: { large?: boolean } = {}): Promise<Row[]> {
  const files = large ? 100_000 : 10_000
  const rounds = large ? 7 : 15
  const base = fs.mkdtempSync(nodePath.join(os.tmpdir(), "retcon-bench-"))
  const root = nodePath.join(base, "work")
  try {
    makeTree(root, files)
    git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "-c", "user.name=b", "-c", "user.email=b@example.com", "commit", "-qm", "first")
    await settled()
    return await measure(base, root, rounds)
  } finally {
    fs.rmSync(base, { recursive: true, force: true })
  }
}

async function measure(base: string, root: string, rounds: number): Promise<Row[]> {
  const rows: Row[] = []
  const status = () => void git(root, "status", "--porcelain")
  /** Ours and the floor in turn, so that both meet the same machine. */
  const compare = async (
    figure: string,
    limit: number,
    times: number,
    prepare: (i: number) => unknown,
    ours: (i: number) => Promise<unknown>,
  ) => {
    const [mine, floor]: [number[], number[]] = [[], []]
    for (let i = 0; i < times; i++) {
      await prepare(i)
      mine.push(await timed(() => ours(i)))
      floor.push(await timed(async () => status()))
    }
    const row = { figure, ours: median(mine), floor: median(floor), ratio: median(mine) / median(floor), limit }
    rows.push(row)
  }
  let opened = 0
  const fresh = () => open(root, nodePath.join(base, `home${opened++}`))
  let first: Workspace | undefined
  const firstSnapshot = async () => {
    await first?.close()
    first = await fresh()
  }
  await compare("first snapshot of a git project", 15, 3, firstSnapshot, async () => first?.snapshot())
  fs.renameSync(`${root}/.git`, `${base}/away`)
  const without: number[] = []
  for (let i = 0; i < 3; i++) {
    await firstSnapshot()
    without.push(await timed(async () => first?.snapshot()))
  }
  fs.renameSync(`${base}/away`, `${root}/.git`)
  const floor = median(await several(5, async () => status()))
  rows.push({
    figure: "first snapshot without git",
    ours: median(without),
    floor,
    ratio: median(without) / floor,
    limit: 80,
  })
  await first?.close()

  const workspace = await fresh()
  await workspace.snapshot()
  await settled()
  await workspace.snapshot()
  const noise = () => randomBytes(20).toString("hex")
  const path = (i: number) => `src/m${i % 20}/d${i}/f3.ts`
  const nothing = () => undefined
  await compare("nothing changed", 1.5, rounds, nothing, () => workspace.snapshot())
  await compare(
    "one file changed, path known",
    0.2,
    rounds,
    () => fs.writeFileSync(`${root}/${path(1)}`, noise()),
    () => workspace.snapshot({ paths: [path(1)] }),
  )
  await compare(
    "one file changed by a command",
    1.8,
    rounds,
    () => fs.writeFileSync(`${root}/${path(2)}`, noise()),
    () => workspace.snapshot(),
  )
  for (const [count, limit] of [
    [1, 2.5],
    [100, 4],
  ] as const) {
    let step: { before: SnapshotId; after: SnapshotId }
    const agent = async () => {
      const before = (await workspace.snapshot()).id
      for (let i = 0; i < count; i++) fs.writeFileSync(`${root}/${path(i)}`, `${noise()}\n`.repeat(20))
      step = { before, after: (await workspace.snapshot()).id }
    }
    await compare(
      `restore of ${count} file${count === 1 ? "" : "s"}, safety snapshot included`,
      limit,
      rounds,
      agent,
      async () => {
        const done = await workspace.restore(await workspace.planRestore({ steps: [step] }))
        if (done.outcome !== "restored") throw new Error(`not restored: ${JSON.stringify(done)}`)
      },
    )
  }
  await workspace.close()
  return rows
}

function open(root: string, home: string): Promise<Workspace> {
  return openGitWorkspace({
    root,
    home,
    session: "bench",
    clock: Date.now,
    newId: () => randomBytes(8).toString("hex"),
  })
}

function makeTree(root: string, files: number): void {
  for (let folder = 0; folder < files / PER_FOLDER; folder++) {
    const path = `${root}/src/m${folder % 20}/d${folder}`
    fs.mkdirSync(path, { recursive: true })
    for (let file = 0; file < PER_FOLDER; file++) {
      fs.writeFileSync(
        `${path}/f${file}.ts`,
        `export const value${folder}_${file} = ${folder * file}\n`.repeat(20 + file),
      )
    }
  }
}

function git(root: string, ...args: string[]): string {
  const env = { PATH: process.env.PATH, GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" }
  const result = spawnSync("git", args, { cwd: root, encoding: "utf8", env })
  if (result.status !== 0) throw new Error(result.stderr)
  return result.stdout
}

/** Files just written look racy to git and to us; a figure should not depend on how fast the tree was made. */
async function settled(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 2200))
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

async function several(times: number, work: () => Promise<unknown>): Promise<number[]> {
  const all: number[] = []
  for (let i = 0; i < times; i++) all.push(await timed(work))
  return all
}

function median(values: number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN
}
