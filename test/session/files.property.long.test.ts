import { lstatSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as fc from "fast-check"
import { expect, test } from "vitest"
import { entries, NONE, prompts } from "../../src/history/tree/tree.ts"
import type { MoveResult } from "../../src/model/move/moved.ts"
import type { MoveOptions } from "../../src/session/operations/move.ts"
import type { Session } from "../../src/session/session.ts"
import type { OnConflict } from "../../src/workspace/port.ts"
import { edit, SHARED } from "../workspace/edits.ts"
import { picture } from "../workspace/folder.ts"
import {
  anyDoings,
  anyDoingsBeside,
  anyOnConflict,
  type Doing,
  makeRepository,
  Other,
  PERSONS,
  playRound,
} from "./files-play.ts"
import type { Project } from "./project.ts"

const RUNS = 20

type Picture = Record<string, string>

class Play {
  readonly project: Project
  readonly onConflict: OnConflict
  session!: Session
  /** How the files were when an entry was the last one, and right before a prompt. */
  readonly after = new Map<string, Picture>()
  readonly before = new Map<string, Picture>()
  /** Marks of the person that an agent's call removed: taking such a call back and bringing it again may do so too. */
  readonly destroyed = new Set<string>()
  /** Only the agent has changed files, and every undo met the files as it had left them. */
  exact = true
  moves = 0

  readonly other: Other

  constructor(project: Project, onConflict: OnConflict) {
    this.project = project
    this.other = new Other(project)
    this.onConflict = onConflict
  }

  files(): Picture {
    return picture(this.project.root, { without: [".git"] })
  }

  marks(): Set<string> {
    const found = new Set<string>()
    for (const path of Object.keys(this.files())) {
      const file = join(this.project.root, Buffer.from(path, "latin1").toString())
      if (!lstatSync(file).isFile()) continue
      for (const mark of readFileSync(file, "latin1").match(/P\d+;/g) ?? []) found.add(mark)
    }
    return found
  }

  async play(doings: readonly Doing[]): Promise<void> {
    this.session = await this.project.open()
    for (const [i, doing] of doings.entries()) {
      await this.one(doing, i)
      const { files } = this.session
      expect(files.lastRound()).toEqual(files.rounds().at(-1)?.changes ?? [])
    }
  }

  async one(doing: Doing, i: number): Promise<void> {
    const { session } = this
    switch (doing.do) {
      case "round": {
        const [start, marks] = [this.files(), this.marks()]
        const size = session.history.size
        await playRound(session, this.project.root, doing.calls, () => {
          if (this.other.isOpen) writeFileSync(join(this.project.root, `beside ${i}`), `P${i};\n`)
        })
        const left = this.marks()
        for (const mark of marks) if (!left.has(mark)) this.destroyed.add(mark)
        this.before.set(session.history.id(size), start)
        this.after.set(session.head ?? "", this.files())
        return
      }
      case "other":
        this.exact = false
        await this.other.begin()
        for (const each of doing.edits) edit(this.project.root, each, `P${i};\n`)
        if (doing.ends) await this.other.end()
        return
      case "person":
        this.exact = false
        for (const each of doing.edits) {
          edit(this.project.root, each, `P${i};\n`)
          edit(join(this.project.root, PERSONS), each, `P${i};\n`)
        }
        return
      case "reopen":
        await session.close()
        this.session = await this.project.open(session.id)
        return
      case "back":
      case "undo":
      case "redo":
        await this.move(doing.files, (how) => session[doing.do](how), this.wantedFor(doing.do))
        return
      case "goto":
      case "goto-prompt":
      case "restore":
      case "restore-paths": {
        const target = this.pick(doing.do === "goto-prompt", doing.pick)
        if (target === undefined) return
        const paths = doing.do === "restore-paths" ? { paths: doing.paths } : {}
        const make = (how: MoveOptions) =>
          doing.do === "goto" || doing.do === "goto-prompt"
            ? session.goto(target, how)
            : session.files.restore(target, { ...how, ...paths })
        const wanted = (doing.do === "goto-prompt" ? this.before : this.after).get(target)
        const keeps = "files" in doing ? doing.files : "restore"
        await this.move(keeps, make, doing.do === "restore-paths" ? undefined : wanted)
      }
    }
  }

  /** Before the prompt of the round that is left; nothing is said of undo and redo here. */
  wantedFor(kind: "back" | "undo" | "redo"): Picture | undefined {
    if (kind !== "back") return undefined
    const { history } = this.session
    const prompt = history.prompt(this.session.headRow)
    return prompt === NONE ? undefined : this.before.get(history.id(prompt))
  }

  pick(prompt: boolean, n: number): string | undefined {
    const { history } = this.session
    const all = prompt
      ? history.tips().flatMap((tip) => prompts(history, tip))
      : [...entries(history)].filter((row) => this.after.has(history.id(row)))
    const row = all[n % Math.max(1, all.length)]
    return row === undefined ? undefined : history.id(row)
  }

  async move(
    mode: "keep" | "restore",
    make: (how: MoveOptions) => Promise<MoveResult>,
    wanted: Picture | undefined,
  ): Promise<void> {
    const how = { files: mode, onConflict: this.onConflict }
    const [now, marks, head, size] = [this.files(), this.marks(), this.session.head, this.session.history.size]
    const planned = await make({ ...how, dryRun: true })
    expect([this.files(), this.session.history.size]).toEqual([now, size])
    const done = await make(how)
    if (done.outcome === "refused") {
      expect(planned).toEqual(done)
      expect([this.files(), this.session.head, this.session.history.size]).toEqual([now, head, size])
      if (done.failure.code === "conflicts" && wanted !== undefined) expect(this.exact).toBe(false)
      return
    }
    expect(facts(done)).toEqual(facts(planned))
    const after = this.files()
    if (mode === "keep") expect(after).toEqual(now)
    else if (wanted !== undefined && this.exact) expect(after).toEqual(wanted)
    expect(personsOwn(after)).toEqual(personsOwn(now))
    const left = this.marks()
    expect([...marks].filter((mark) => !left.has(mark) && !this.destroyed.has(mark))).toEqual([])
    if (done.operation === null) return
    this.moves++
    if (done.kind !== "undo" && done.kind !== "redo") await this.andBack(now, after, head)
    else if (mode === "restore") this.exact = false
  }

  /** Undo of a move gives back the files bit for bit, and redo does it again. */
  async andBack(now: Picture, after: Picture, head: Session["head"]): Promise<void> {
    const there = this.session.head
    const undone = await this.session.undo()
    expect(undone.outcome).toBe("moved")
    expect([this.files(), this.session.head]).toEqual([now, head])
    const again = await this.session.redo()
    expect(again.outcome).toBe("moved")
    expect([this.files(), this.session.head]).toEqual([after, there])
  }
}

function personsOwn(files: Picture): Picture {
  return Object.fromEntries(Object.entries(files).filter(([path]) => path.startsWith(PERSONS)))
}

function facts(result: MoveResult): object {
  if (result.outcome === "refused") return result
  const { head, left, prompt, filesMode, files, kept, uncertain, notCovered, commits } = result
  return { head, left, prompt, filesMode, files, kept, uncertain, notCovered, commits }
}

async function playAll(doings: readonly Doing[], onConflict: OnConflict): Promise<Play> {
  const project = makeRepository()
  const own = picture(join(project.root, ".git"))
  const play = new Play(project, onConflict)
  await play.play(doings)
  expect(picture(join(project.root, ".git"))).toEqual(own)
  return play
}

test("what only the agent did is undone and done again exactly, wherever the conversation goes", {
  timeout: 600_000,
}, async () => {
  let moves = 0
  await fc.assert(
    fc.asyncProperty(anyDoings([]), async (doings) => {
      moves += (await playAll(doings, "refuse")).moves
    }),
    { numRuns: RUNS },
  )
  expect(moves).toBeGreaterThan(0)
})

test("what the person did is never lost, dry runs are true, undo gives back every bit, and .git is not touched", {
  timeout: 600_000,
}, async () => {
  let moves = 0
  await fc.assert(
    fc.asyncProperty(anyDoings(SHARED), anyOnConflict, async (doings, onConflict) => {
      moves += (await playAll(doings, onConflict)).moves
    }),
    { numRuns: RUNS },
  )
  expect(moves).toBeGreaterThan(0)
})

test("what another session's calls do, also while they are open, is never lost to a move in this one", {
  timeout: 600_000,
}, async () => {
  let moves = 0
  await fc.assert(
    fc.asyncProperty(anyDoingsBeside(), anyOnConflict, async (doings, onConflict) => {
      moves += (await playAll(doings, onConflict)).moves
    }),
    { numRuns: RUNS },
  )
  expect(moves).toBeGreaterThan(0)
})
