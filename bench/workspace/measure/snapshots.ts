// One figure of the workspace, in a separate process. Floor: `git status --porcelain` in the same tree; of a
// restore, that and writing as many files durably.
import { randomBytes } from "node:crypto"
import { mkdirSync, renameSync, writeFileSync } from "node:fs"
import { openGitWorkspace } from "../../../src/workspace/git/git-workspace.ts"
import type { SnapshotId, Workspace } from "../../../src/workspace/port.ts"
import { answer, given } from "../../child.ts"
import { interleave, type Measured, type Repeats, timed, timedAsync } from "../../timing.ts"
import type { FigureName } from "../group.ts"
import { git, pathOf } from "../make-tree.ts"

export interface SnapshotsGiven {
  /** For retcon's homes, which are created here. */
  folder: string
  root: string
  name: FigureName
  large: boolean
}

const { folder, root, name, large } = given() as SnapshotsGiven
mkdirSync(folder, { recursive: true })
const few: Repeats = { samples: large ? 3 : 7, warmUp: 1 }
const many: Repeats = { samples: large ? 7 : 21, warmUp: 3 }
let homes = 0

const status = () => timed(() => git(root, "status", "--porcelain"))
const noise = () => randomBytes(20).toString("hex")

function open(): Promise<Workspace> {
  const newId = () => randomBytes(8).toString("hex")
  return openGitWorkspace({ root, home: `${folder}/home${homes++}`, session: "bench", clock: Date.now, newId })
}

async function firstSnapshot(): Promise<number> {
  const workspace = await open()
  const time = await timedAsync(() => workspace.snapshot())
  await workspace.close()
  return time
}

async function firstWithoutGit(): Promise<number> {
  renameSync(`${root}/.git`, `${folder}/away`)
  const time = await firstSnapshot()
  renameSync(`${folder}/away`, `${root}/.git`)
  return time
}

/** A workspace that has been used: files just written look racy to git and to us, so it waits until they do not. */
async function used(): Promise<Workspace> {
  const workspace = await open()
  await workspace.snapshot()
  await new Promise((resolve) => setTimeout(resolve, 2200))
  await workspace.snapshot()
  return workspace
}

/** The least that restoring files takes if a crash must not lose any: new content beside each, synced and renamed. */
function statusAndWrites(count: number): number {
  const content = `${noise()}\n`.repeat(20)
  return timed(() => {
    git(root, "status", "--porcelain")
    for (let i = 0; i < count; i++) {
      const file = `${root}/${pathOf(i)}`
      writeFileSync(`${file}.new`, content, { flush: true })
      renameSync(`${file}.new`, file)
    }
  })
}

function restores(workspace: Workspace, count: number): Promise<Measured> {
  return interleave(
    () => statusAndWrites(count),
    async () => {
      const step = await agentChanges(workspace, count)
      return timedAsync(async () => {
        const done = await workspace.restore(await workspace.planRestore({ steps: [step] }))
        if (done.outcome !== "restored") throw new Error(`not restored: ${JSON.stringify(done)}`)
      })
    },
    many,
  )
}

async function agentChanges(workspace: Workspace, count: number): Promise<{ before: SnapshotId; after: SnapshotId }> {
  const before = (await workspace.snapshot()).id
  for (let i = 0; i < count; i++) writeFileSync(`${root}/${pathOf(i)}`, `${noise()}\n`.repeat(20))
  return { before, after: (await workspace.snapshot()).id }
}

/** Changes a file, then times a snapshot of all, or of that path. */
function changed(workspace: Workspace, i: number, paths?: string[]): Promise<Measured> {
  const change = () => {
    writeFileSync(`${root}/${pathOf(i)}`, noise())
    return timedAsync(() => workspace.snapshot(paths === undefined ? {} : { paths }))
  }
  return interleave(status, change, many)
}

async function withUsed(work: (workspace: Workspace) => Promise<Measured>): Promise<Measured> {
  const workspace = await used()
  try {
    return await work(workspace)
  } finally {
    await workspace.close()
  }
}

function measure(): Promise<Measured> {
  switch (name) {
    case "first":
      return interleave(status, firstSnapshot, few)
    case "first-without":
      return interleave(status, firstWithoutGit, few)
    case "nothing":
      return withUsed((workspace) => interleave(status, () => timedAsync(() => workspace.snapshot()), many))
    case "known":
      return withUsed((workspace) => changed(workspace, 1, [pathOf(1)]))
    case "command":
      return withUsed((workspace) => changed(workspace, 2))
    case "restore-1":
      return withUsed((workspace) => restores(workspace, 1))
    case "restore-100":
      return withUsed((workspace) => restores(workspace, 100))
  }
}

answer(await measure())
