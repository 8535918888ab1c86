// Rounds taken back and made again, and branches brought, among later rounds, the person's edits, moves and undos: nobody's
// lines are lost.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import * as fc from "fast-check"
import { expect, test } from "vitest"
import { appliedSpans } from "../../src/history/files/applied-changes.ts"
import { callSpans } from "../../src/history/files/call-spans.ts"
import { commonAncestor, isOnPath, path, type Row } from "../../src/history/tree/tree.ts"
import type { Session } from "../../src/session/session.ts"
import { picture } from "../workspace/folder.ts"
import { makeProject, type Project, round } from "./project.ts"

const RUNS = Number(process.env.RETCON_TEST_RUNS ?? 25)
const FILES = ["a", "b", "d/c", "d/e/f"]

interface Change {
  file: number
  at: number
  to: number
  do: "replace" | "insert" | "delete" | "create" | "remove" | "rename"
}

const anyChange: fc.Arbitrary<Change> = fc.record({
  file: fc.nat(3),
  at: fc.nat(39),
  to: fc.nat(3),
  do: fc.constantFrom("replace", "replace", "insert", "insert", "delete", "create", "remove", "rename"),
})

const anyDoing = fc.record({
  do: fc.constantFrom("revert", "revert", "bring", "bring branch", "person", "round", "back", "undo"),
  pick: fc.nat(9),
  change: anyChange,
})

/** Every line that is written is new, so that it can be followed. */
let lines = 0

function make(root: string, change: Change, mark: string): void {
  const file = join(root, FILES[change.file] as string)
  const there = existsSync(file)
  const put = (path: string, write: () => void) => {
    mkdirSync(dirname(path), { recursive: true })
    write()
  }
  switch (change.do) {
    case "create":
      if (!there) put(file, () => writeFileSync(file, `${mark} ${lines++}\nx${lines++}\n`))
      return
    case "remove":
      if (there) rmSync(file)
      return
    case "rename": {
      const to = join(root, FILES[change.to] as string)
      if (there && !existsSync(to)) put(to, () => renameSync(file, to))
      return
    }
    case "replace":
    case "insert":
    case "delete": {
      if (!there) return
      const all = readFileSync(file, "utf8").split("\n")
      const at = change.at % Math.max(1, all.length)
      const line = change.do === "delete" ? [] : [`${mark} ${lines++}`]
      all.splice(at, change.do === "insert" ? 0 : 1, ...line)
      writeFileSync(file, all.join("\n"))
    }
  }
}

/** The marks of all lines that are in some file. */
function marksIn(folder: string): Set<string> {
  const found = new Set<string>()
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    const own = statSync(path).isDirectory() ? marksIn(path) : (readFileSync(path, "utf8").match(/[RP]\d+ \d+/g) ?? [])
    for (const mark of own) found.add(mark)
  }
  return found
}

const files = ({ root }: Project) => picture(root)
/** An empty folder in which only the reverted round had a file need not come back. */
const withoutFolders = (all: Record<string, string>) =>
  Object.fromEntries(Object.entries(all).filter(([, what]) => !what.startsWith("folder")))
const changesOf = (spans: ReturnType<typeof callSpans>) =>
  spans.flatMap(({ opened, row, changes }) => changes.map(({ path }) => `${opened} ${row} ${path}`)).sort()
const held = ({ history }: Session) => changesOf(appliedSpans(history))

/** `bring`: only the file changes of a round, wherever it is. `bring branch`: all since the branch that it is on parted. */
type Way = "revert" | "bring" | "bring branch"

/** The prompts of the rounds up to this one that are not on the path to the head; on that path only its own. */
function roundsOfBranch({ history, headRow }: Session, prompt: Row): Row[] {
  if (isOnPath(history, prompt, headRow)) return [prompt]
  const rows = path(history, prompt, commonAncestor(history, headRow, prompt))
  return [...new Set(rows.map((row) => history.prompt(row)))]
}

interface Tried {
  moved: number
  identities: number
}

async function play(
  rounds: readonly Change[][],
  doings: readonly { do: string; pick: number; change: Change }[],
  tried: Tried,
): Promise<void> {
  const project = makeProject()
  for (const name of FILES.slice(0, 3))
    project.write(name, Array.from({ length: 40 }, (_, line) => `base ${name} ${line}\n`).join(""))
  const session = await project.open()
  const ids: string[] = []
  const oneRound = async (changes: readonly Change[]) => {
    const mark = `R${ids.length + 1}`
    const run = () => changes.forEach((change) => make(project.root, change, mark))
    ids.push(await round(session, mark, { paths: FILES, run }))
  }
  for (const changes of rounds) await oneRound(changes)
  for (const { do: what, pick, change } of doings) {
    const at = pick % ids.length
    if (what === "person") make(project.root, change, `P${lines}`)
    else if (what === "round") await oneRound([change])
    else if (what === "back") await session.back({ files: "restore" })
    else if (what === "undo") await session.undo({ files: "restore" })
    else await there(what as Way, ids[at] as string, `R${at + 1}`)
  }

  async function there(way: Way, id: string, mark: string): Promise<void> {
    const move = (how: Way, options: { dryRun?: boolean } = {}) =>
      how === "revert" ? session.revert([id], options) : session.bring([id], { ...options, onlyRound: how === "bring" })
    const prompt = session.history.rowOf(id)
    const rounds = way === "bring branch" ? roundsOfBranch(session, prompt) : [prompt]
    const before = {
      head: session.head,
      files: files(project),
      marks: marksIn(project.root),
      held: held(session),
      size: session.history.size,
    }
    const plan = await move(way, { dryRun: true })
    expect([files(project), session.history.size]).toEqual([before.files, before.size])
    const done = await move(way)
    if (done.outcome === "refused") {
      expect(plan).toEqual(done)
      expect([files(project), session.history.size]).toEqual([before.files, before.size])
      expect(done.conflicts?.length ?? 0).toBeGreaterThan(0)
      return
    }
    expect(plan).toMatchObject({ outcome: "planned", files: done.files, kept: done.kept })
    if (done.outcome === "unchanged") return expect(files(project)).toEqual(before.files)
    tried.moved++
    const after = { head: session.head, files: files(project), held: held(session) }
    // What the files contain of other rounds is as before.
    const own = new Set(
      changesOf(callSpans(session.history).filter(({ entry }) => rounds.includes(session.history.prompt(entry)))),
    )
    const ofOthers = (changes: string[]) => changes.filter((change) => !own.has(change))
    expect(ofOthers(after.held)).toEqual(ofOthers(before.held))
    if (way === "revert") {
      const left = marksIn(project.root)
      expect([...before.marks].filter((each) => !each.startsWith(`${mark} `) && !left.has(each))).toEqual([])
    }
    expect((await session.undo()).outcome).toBe("moved")
    expect([session.head, files(project), held(session)]).toEqual([before.head, before.files, before.held])
    expect((await session.redo()).outcome).toBe("moved")
    expect([session.head, files(project), held(session)]).toEqual([after.head, after.files, after.held])
    if (done.kept.length > 0 || way === "bring branch") return
    const back = await move(way === "revert" ? "bring" : "revert")
    if (back.outcome === "refused") return
    expect(withoutFolders(files(project))).toEqual(withoutFolders(before.files))
    if (back.outcome === "moved") expect(held(session)).toEqual(before.held)
    tried.identities++
  }
}

test("a round that is taken back and made again changes nothing, and nobody else's lines are lost", {
  timeout: 3_600_000,
}, async () => {
  const tried: Tried = { moved: 0, identities: 0 }
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(anyChange, { minLength: 1, maxLength: 3 }), { minLength: 3, maxLength: 7 }),
      fc.array(anyDoing, { minLength: 3, maxLength: 8 }),
      (rounds, doings) => play(rounds, doings, tried),
    ),
    { numRuns: RUNS },
  )
  expect(Math.min(tried.moved, tried.identities)).toBeGreaterThan(RUNS / 4)
})
