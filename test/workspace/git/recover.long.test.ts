import { execFile, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import fs from "node:fs"
import os from "node:os"
import nodePath from "node:path"
import { build } from "tsdown"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest"
import type { Restored, SnapshotId } from "../../../src/workspace/port.ts"
import { isSoak } from "../../seed.ts"
import { git, newPlace, openAt, type Place, picture, put, removePlace } from "../folder.ts"

let place: Place
let step: { before: SnapshotId; after: SnapshotId }
const at = (path: string) => nodePath.join(place.root, path)

/** A workspace in which an agent did a bit of everything. */
async function prepare(): Promise<void> {
  git(place.root, "init", "-q")
  for (let i = 0; i < 6; i++) put(place, `src/f${i}.txt`, `file ${i}\n`.repeat(50))
  put(place, "turns/into/file.txt", "x\n")
  put(place, "gone.txt", "deleted by the agent\n", 0o600)
  fs.symlinkSync("gone.txt", at("link"))
  const workspace = await openAt(place)
  const before = (await workspace.snapshot()).id
  for (let i = 0; i < 4; i++) put(place, `src/f${i}.txt`, `changed ${i}\n`.repeat(60))
  fs.rmSync(at("turns"), { recursive: true })
  put(place, "turns", "a file now\n")
  fs.rmSync(at("gone.txt"))
  fs.chmodSync(at("src/f5.txt"), 0o755)
  fs.rmSync(at("link"))
  fs.symlinkSync("elsewhere", at("link"))
  put(place, "made/by/agent.txt", "new\n")
  step = { before, after: (await workspace.snapshot()).id }
  await workspace.close()
}

let program = ""

/** The child is bundled once: a hundred starts of plain JavaScript are quick. */
beforeAll(async () => {
  const folder = fs.mkdtempSync(nodePath.join(os.tmpdir(), "retcon-child-"))
  const entry = nodePath.join(import.meta.dirname, "killed-restore.ts")
  await build({
    config: false,
    entry: { child: entry },
    outDir: folder,
    dts: false,
    logLevel: "silent",
    platform: "node",
    format: "esm",
  })
  program = nodePath.join(folder, fs.readdirSync(folder).find((name) => /^child\.m?js$/.test(name)) as string)
})
afterAll(() => fs.rmSync(nodePath.dirname(program), { recursive: true }))

function run(killAt: number): Promise<{ killed: boolean; output: string }> {
  const args = [program, place.root, place.home, step.before, step.after, String(killAt)]
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, (error, stdout, stderr) => {
      if (error !== null && error.signal !== "SIGKILL") reject(new Error(stderr, { cause: error }))
      else resolve({ killed: error !== null, output: stdout })
    })
  })
}

const staged = () => Object.keys(picture(place.root)).filter((path) => path.includes(".retcon-restore-"))

const KILLS = isSoak ? 100 : 40

describe("a restore that was killed", () => {
  beforeEach(async () => {
    place = newPlace()
    await prepare()
  })
  afterEach(() => removePlace(place))

  test(`is found, reported and put back when the workspace is opened next: no file is half written, in ${KILLS} kills`, {
    timeout: 300_000,
  }, async () => {
    const start = picture(place.root)
    const whole = await run(100_000)
    expect(whole.output).toMatch(/^restored/)
    const restored = picture(place.root)
    const writes = Number(whole.output.split(" ")[1])
    expect(writes).toBeGreaterThan(30)

    const outcomes = new Map<string, number>()
    for (let kill = 0; kill < KILLS; kill++) {
      reset(start)
      const { killed } = await run(Math.floor((kill * writes) / KILLS))
      expect(killed).toBe(true)
      const workspace = await openAt(place)
      const recovered = await workspace.recover()
      outcomes.set(recovered.outcome, (outcomes.get(recovered.outcome) ?? 0) + 1)
      // Without a journal the restore had ended: the kill came after its last step.
      expect(picture(place.root)).toEqual(recovered.outcome === "nothing" && kill > KILLS / 2 ? restored : start)
      expect(staged()).toEqual([])
      expect(await workspace.recover()).toEqual({ outcome: "nothing" })
      const done = await workspace.restore(await workspace.planRestore({ steps: [step] }))
      expect(done.outcome).toBe("restored")
      expect(picture(place.root)).toEqual(restored)
      await workspace.close()
    }
    expect(outcomes.get("rolled-back") ?? 0).toBeGreaterThan(0.9 * KILLS - 1)
  })

  test("is completed when it was recorded before the kill", async () => {
    const workspace = await openAt(place)
    const plan = await workspace.planRestore({ steps: [step] })
    await workspace.close()
    let recorded: string | undefined
    const failing = await openAt(place, {
      beforeWrite: ({ path }) => {
        if (recorded !== undefined && path.includes(".retcon-restore-"))
          throw Object.assign(new Error("stopped"), { code: "EIO" })
      },
    })
    const record = async (done: Restored) => {
      if (done.outcome === "restored") recorded = done.id
    }
    expect((await failing.restore(plan, { record })).outcome).toBe("restored")
    await failing.close()
    expect(staged()).not.toEqual([])
    const again = await openAt(place)
    expect(await again.recover({ recorded: ({ id }) => id === recorded })).toMatchObject({
      outcome: "completed",
      id: recorded,
      left: [],
    })
    expect(fs.readFileSync(at("gone.txt"), "utf8")).toBe("deleted by the agent\n")
    expect(staged()).toEqual([])
    await again.close()
  })
})

test("a restore that runs in another container goes on, though no process of its number runs it here", async ({
  skip,
}) => {
  const [container, ...apart] = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc"]
  if (spawnSync(container, [...apart, "true"]).status !== 0) skip("no namespace can be made here")
  place = newPlace()
  await prepare()
  const start = picture(place.root)
  const args = [program, place.root, place.home, step.before, step.after, "100000", "hold"]
  const other = spawn(container, [...apart, process.execPath, ...args], { stdio: ["pipe", "pipe", "inherit"] })
  try {
    expect(String((await once(other.stdout, "data"))[0])).toBe("held\n")
    const restored = picture(place.root)
    let now = Date.now()
    const workspace = await openAt(place, { clock: () => now })
    await expect(workspace.recover()).rejects.toMatchObject({ failure: { code: "session-busy" } })
    expect(picture(place.root)).toEqual(restored)
    other.kill("SIGKILL")
    await once(other, "exit")
    now += 61_000
    expect(await workspace.recover()).toMatchObject({ outcome: "rolled-back", left: [] })
    expect(picture(place.root)).toEqual(start)
    await workspace.close()
  } finally {
    other.kill("SIGKILL")
    removePlace(place)
  }
})

/** Puts the folder back to a picture taken before, by undoing with the store's own files. */
function reset(start: Record<string, string>): void {
  fs.rmSync(at("made"), { recursive: true, force: true })
  for (let i = 0; i < 4; i++) put(place, `src/f${i}.txt`, `changed ${i}\n`.repeat(60))
  fs.rmSync(at("turns"), { recursive: true, force: true })
  put(place, "turns", "a file now\n")
  fs.rmSync(at("gone.txt"), { force: true })
  fs.chmodSync(at("src/f5.txt"), 0o755)
  fs.rmSync(at("link"), { force: true })
  fs.symlinkSync("elsewhere", at("link"))
  put(place, "made/by/agent.txt", "new\n")
  expect(picture(place.root)).toEqual(start)
}
