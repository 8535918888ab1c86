// A person saves a file while a restore works on it: at the calls that the restore makes to the file system (every third
// here, each in `npm run soak`), in every way in which programs save. What they saved is in the file afterwards, or in a file that the result names.
import fs from "node:fs"
import nodePath from "node:path"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import type { Restored, Step, Workspace } from "../../../src/workspace/port.ts"
import { isSoak } from "../../seed.ts"
import { openAt, picture, placeForEach, put } from "../folder.ts"

const real = { ...fs }
const SAVED = "saved by the person, and longer than what was there\n"
const TARGET = "d/target"
/** What is durable does not matter here. */
const SYNC = (Object.keys(fs) as (keyof typeof fs)[]).filter(
  (name) => name.endsWith("Sync") && !/^f(data)?sync/.test(name) && typeof fs[name] === "function",
)

const place = placeForEach()
const at = (path: string) => nodePath.join(place.root, path)
beforeEach(() => {
  // What is durable does not matter here, and takes most of the time.
  vi.spyOn(fs, "fsync").mockImplementation((_, done) => done(null))
  for (const name of ["fsyncSync", "fdatasyncSync"] as const) vi.spyOn(fs, name).mockImplementation(() => undefined)
})
afterEach(() => {
  vi.restoreAllMocks()
})

/** What the target is before the agent's work, and what the agent makes of it. A restore turns the second into the first. */
const RESTORES = {
  creates: { was: () => put(place, TARGET, "was\n"), agent: () => remove() },
  replaces: { was: () => put(place, TARGET, "was\n"), agent: () => put(place, TARGET, "agent\n") },
  deletes: { was: () => undefined, agent: () => put(place, TARGET, "agent\n") },
  "changes the mode of": {
    was: () => put(place, TARGET, "was\n", 0o644),
    agent: () => put(place, TARGET, "was\n", 0o755),
  },
  "turns into a link": { was: () => link("elsewhere"), agent: () => put(place, TARGET, "agent\n") },
  "turns from a link into a file": { was: () => put(place, TARGET, "was\n"), agent: () => link("nowhere") },
  "turns into a folder": { was: () => put(place, `${TARGET}/x`, "x\n"), agent: () => put(place, TARGET, "agent\n") },
  "turns from a folder into a file": {
    was: () => put(place, TARGET, "was\n"),
    agent: () => put(place, `${TARGET}/x`, "x\n"),
  },
} as const

function remove(): void {
  real.rmSync(at(TARGET), { recursive: true, force: true })
}

function link(to: string): void {
  remove()
  fs.symlinkSync(to, at(TARGET))
}

/** Each returns the function that saves, or undefined if the target cannot be saved to in that way. */
const WAYS = {
  "in place": () => () => real.writeFileSync(at(TARGET), SAVED),
  // Its time says nothing about when it came here.
  "by an older file moved over it": () => () => {
    real.writeFileSync(at("d/.saving"), SAVED)
    real.utimesSync(at("d/.saving"), 1_000_000_000, 1_000_000_000)
    try {
      real.renameSync(at("d/.saving"), at(TARGET))
    } finally {
      real.rmSync(at("d/.saving"), { force: true })
    }
  },
  "through a file that is open": () => {
    if (real.lstatSync(at(TARGET), { throwIfNoEntry: false })?.isFile() !== true) return undefined
    const file = real.openSync(at(TARGET), "r+")
    opened.push(file)
    return () => {
      if (real.fstatSync(file).nlink === 0) throw new Error("it is deleted")
      real.ftruncateSync(file, 0)
      real.writeSync(file, SAVED, 0)
    }
  },
} as const

const opened: number[] = []
afterEach(() => {
  for (const file of opened.splice(0)) real.closeSync(file)
})

/** Calls `save` before call number `position`, and says how many calls there were. */
function saveBefore(position: number, save: () => void): { calls(): number; stop(): void } {
  let calls = 0
  let isSaving = false
  for (const name of SYNC) {
    const call = real[name] as (...args: unknown[]) => unknown
    const replaced = (...args: unknown[]) => {
      if (!isSaving && ++calls === position) {
        isSaving = true
        save()
        isSaving = false
      }
      return call(...args)
    }
    Object.assign(fs, { [name]: replaced })
  }
  return {
    calls: () => calls,
    stop: () => {
      for (const name of SYNC) Object.assign(fs, { [name]: real[name] })
    },
  }
}

const cases = Object.keys(RESTORES).flatMap((restore) => Object.keys(WAYS).map((way) => [restore, way] as const))

test.each(cases)(
  "a restore that %s a file loses nothing that is saved %s",
  { timeout: 120_000 },
  async (restore, way) => {
    const { was, agent } = RESTORES[restore as keyof typeof RESTORES]
    put(place, "a-file-before", "one\n")
    put(place, "z-file-after", "one\n")
    put(place, "d/.keep", "")
    was()
    const workspace = await openAt(place)
    const before = (await workspace.snapshot()).id
    remove()
    agent()
    put(place, "a-file-before", "agent\n")
    put(place, "z-file-after", "agent\n")
    const after = (await workspace.snapshot()).id
    const wanted = await pictureAfter(workspace, { before, after })
    const seen = { refused: 0, restored: 0 }
    const step = isSoak ? 1 : 3
    for (let position = 1 + (Object.keys(WAYS).indexOf(way) % step); ; position += step) {
      reset(agent)
      const start = picture(place.root)
      const saving = WAYS[way as keyof typeof WAYS]()
      if (saving === undefined) break
      const plan = await workspace.planRestore({ steps: [{ before, after }] })
      const outcome = { saved: false }
      const watch = saveBefore(position, () => {
        try {
          saving()
          outcome.saved = true
        } catch (error) {
          // The person gets an error: a folder is in the way, say. Nothing was saved.
          if (!/EISDIR|ENOTDIR|ENOENT|ELOOP|deleted/.test(String(error))) throw error
        }
      })
      const done = await workspace.restore(plan).finally(() => watch.stop())
      if (watch.calls() < position) break
      seen[done.outcome]++
      const told = JSON.stringify({ position, done: { ...done, files: [] }, outcome })
      if (outcome.saved) expectSaved(done, told)
      expectRestWhole(done, outcome.saved, start, wanted, told)
      if (done.outcome === "restored" && outcome.saved) await expectUndoKeeps(workspace, done, told)
    }
    if (way === "in place") expect(seen.restored + seen.refused).toBeGreaterThan(40 / step)
    await workspace.close()
  },
)

/** What the agent left, as it was before each restore. */
function reset(agent: () => unknown): void {
  for (const name of real.readdirSync(at("d"))) if (name !== ".keep") real.rmSync(at(`d/${name}`), { recursive: true })
  agent()
  put(place, "a-file-before", "agent\n")
  put(place, "z-file-after", "agent\n")
  // Long ago, as most files are that someone restores; half of the runs would otherwise depend on the clock.
  for (const name of ["a-file-before", "z-file-after"]) real.utimesSync(at(name), 1, 1)
}

async function pictureAfter(workspace: Workspace, step: Step): Promise<Record<string, string>> {
  expect(await workspace.restore(await workspace.planRestore({ steps: [step] }))).toMatchObject({ outcome: "restored" })
  return picture(place.root)
}

/** A link at the target leads where they saved: outside of what is restored. */
function holds(path: string): boolean {
  const stat = real.statSync(at(path), { throwIfNoEntry: false })
  return stat?.isFile() === true && real.readFileSync(at(path), "utf8") === SAVED
}

function expectSaved(done: Restored, told: string): void {
  const beside = real.readdirSync(at("d")).map((name) => `d/${name}`)
  const found = [TARGET, ...beside].filter(holds)
  expect([told, found]).not.toEqual([told, []])
  if (found.includes(TARGET) || found.includes("d/elsewhere") || found.includes("d/nowhere")) return
  const named = done.outcome === "restored" ? done.kept.map(({ path }) => path) : "paths" in done ? done.paths : []
  expect([told, named]).toEqual([told, expect.arrayContaining(found)])
}

/** The other files are all as before, or all as wanted; nothing of ours is left beside them. */
function expectRestWhole(
  done: Restored,
  saved: boolean,
  start: Record<string, string>,
  wanted: Record<string, string>,
  told: string,
): void {
  const rest = (all: Record<string, string>) =>
    Object.fromEntries(Object.entries(all).filter(([path]) => !saved || !path.startsWith("d/")))
  expect([told, rest(picture(place.root))]).toEqual([told, rest(done.outcome === "restored" ? wanted : start)])
  expect([told, real.readdirSync(at("d")).filter((name) => name.startsWith(".retcon-restore-"))]).toEqual([told, []])
  if (done.outcome === "refused")
    expect([told, "paths" in done && done.paths.join(" ")]).toEqual([told, expect.stringContaining(TARGET)])
}

/** An undo of the restore takes back what the restore did, never what the person saved. */
async function expectUndoKeeps(workspace: Workspace, done: Extract<Restored, { outcome: "restored" }>, told: string) {
  const undo = await workspace.planRestore({ steps: [{ before: done.before, after: done.after }] })
  if (undo.conflicts.length > 0) return
  await workspace.restore(undo)
  const beside = real.readdirSync(at("d")).map((name) => `d/${name}`)
  expect([told, [TARGET, ...beside].filter(holds)]).not.toEqual([told, []])
}
