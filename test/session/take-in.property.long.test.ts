// Attempts in copies, taken in and picked: the original stays bit for bit until then, and a pick gives exactly their files.
import { randomBytes } from "node:crypto"
import * as fc from "fast-check"
import { expect, onTestFinished, test } from "vitest"
import { appliedSpans } from "../../src/history/files/applied-changes.ts"
import { openSession, type Session } from "../../src/session/session.ts"
import { systemOptions } from "../../src/session/state/system.ts"
import { openGitWorkspace } from "../../src/workspace/git/git-workspace.ts"
import type { Workspace } from "../../src/workspace/port.ts"
import { anyEdit, type Edit, edit, SHARED } from "../workspace/edits.ts"
import { picture } from "../workspace/folder.ts"
import { makeRepository, playRound } from "./files-play.ts"
import type { Project } from "./project.ts"

const RUNS = Number(process.env.RETCON_TEST_RUNS ?? 6)

const openFiles = (project: Project, root: string, session: string): Promise<Workspace> => {
  const newId = () => randomBytes(8).toString("hex")
  return openGitWorkspace({ root, home: project.home, session, clock: () => Date.now(), newId })
}

const held = (session: Session) =>
  appliedSpans(session.history)
    .flatMap((span) => span.changes.map(({ path }) => `${span.before} ${span.after} ${path}`))
    .sort()

interface Attempt {
  session: Session
  folder: string
}

async function attempt(project: Project, session: Session, files: Workspace, name: string): Promise<Attempt> {
  const { id: snapshot } = await files.snapshot()
  const { folder } = await files.copy({ snapshot, name })
  const { session: split } = await session.split("head", { name: "test", version: "0" }, "", "attempt")
  const { id } = split
  await split.close()
  const workspace = await openFiles(project, folder, id)
  onTestFinished(() => workspace.close())
  return { folder, session: await openSession(project.store, id, { ...systemOptions(), workspace }) }
}

const call = (edits: Edit[]) => ({ how: "command" as const, edits, meanwhile: [] })
const anyWork = fc.array(fc.array(anyEdit(SHARED), { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 8 })

test("picked with an unchanged disk, the files are the attempt's; undo is exact; edits meanwhile are merged, kept or refused", async () => {
  const tally = { exact: 0, undone: 0, merged: 0, refused: 0 }
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(anyEdit(SHARED), { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 2 }),
      fc.array(anyWork, { minLength: 2, maxLength: 3 }),
      fc.array(anyEdit(SHARED), { maxLength: 2 }),
      fc.boolean(),
      async (rounds, works, person, wentBack) => {
        const project = makeRepository()
        const files = (at = project.root) => picture(at, { without: [".git"] })
        const session = await project.open()
        const workspace = await openFiles(project, project.root, "copies")
        for (const each of rounds) await playRound(session, project.root, [call(each)])
        const forward = session.head
        const back = wentBack ? await session.back({ files: "restore" }) : undefined
        const isBack = back?.outcome === "moved"
        const [head, start, before] = [session.head, picture(project.root), held(session)]
        const attempts: Attempt[] = []
        for (const i of works.keys()) attempts.push(await attempt(project, session, workspace, `a${i}`))
        await workspace.close()
        for (const each of attempts) expect(files(each.folder)).toEqual(files())
        for (const [i, each] of attempts.entries()) {
          await playRound(each.session, each.folder, (works[i] ?? []).map(call))
          // An attempt may go back by itself.
          if (i === 1) await each.session.back({ files: "restore" })
          if (i === 1) await playRound(each.session, each.folder, (works[0] ?? []).slice(0, 2).map(call))
        }
        expect(picture(project.root)).toEqual(start)
        const { tips } = await session.takeIn(attempts.map(({ session: { log } }, i) => ({ log, label: `a${i}` })))
        for (const each of attempts) {
          const { id } = each.session
          await each.session.close()
          await project.store.remove(id)
        }
        expect([session.head, picture(project.root), held(session)]).toEqual([head, start, before])
        for (const each of person) edit(project.root, each, "")
        const now = files()
        for (const [i, tip] of tips.entries()) {
          const picked = await session.goto(tip, { files: "restore" })
          if (picked.outcome !== "moved") {
            expect([picked.outcome, files(), person.length > 0]).toEqual(["refused", now, true])
            tally.refused++
            continue
          }
          if (person.length === 0) {
            expect(files()).toEqual(files(attempts[i]?.folder))
            tally.exact++
          } else tally.merged++
          expect((await session.undo()).outcome).toBe("moved")
          expect([session.head, files(), held(session)]).toEqual([head, now, before])
          tally.undone++
        }
        // What the person did before exploring is still the next to undo.
        if (isBack && (await session.undo({ files: "keep" })).outcome === "moved") expect(session.head).toBe(forward)
      },
    ),
    { numRuns: RUNS, endOnFailure: true },
  )
  expect(tally.exact).toBeGreaterThan(RUNS / 6)
  expect(tally.undone).toBeGreaterThanOrEqual(tally.exact)
})
