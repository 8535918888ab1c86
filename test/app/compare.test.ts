// Comparing two branches of a session, or a session with its copy: with real files and snapshots. Nothing is written.
import { expect, test } from "vitest"
import { compareIn } from "../../src/app/open/compare.ts"
import { RetconError } from "../../src/model/failure/retcon-error.ts"
import { comparedLines } from "../../src/protocol/compare-words.ts"
import type { CompareRequest } from "../../src/protocol/host.ts"
import { createSession, type Session, sessionOn } from "../../src/session/session.ts"
import { systemOptions } from "../../src/session/state/system.ts"
import { makeProject, type Project, round } from "../session/project.ts"

function writes(project: Project, files: Record<string, string | null>) {
  return {
    paths: Object.keys(files),
    run() {
      for (const [path, text] of Object.entries(files))
        if (text === null) project.remove(path)
        else project.write(path, text)
    },
  }
}

const textsOf = (project: Project) => ["a.txt", "b.txt", "both.txt"].map((path) => project.read(path))

async function compared(session: Session, request: CompareRequest, project?: Project) {
  const open = async (name: string) => {
    const found = (await project?.store.list({}))?.find(({ id }) => id.endsWith(name))
    if (project === undefined || found === undefined)
      throw new RetconError({ code: "not-found", what: "session", name })
    return project.store.open(found.id)
  }
  const answer = await compareIn(session, request, { open, prices: undefined })
  if (answer.outcome === "refused") throw new RetconError(answer.failure)
  return answer
}

/** One round in common, then two branches; the first is called “first”. `files`: what going back did to them. */
async function twoBranches(files: "keep" | "restore"): Promise<{ project: Project; session: Session }> {
  const project = makeProject()
  project.write("both.txt", "1\n2\n3\n")
  const session = await project.open()
  await round(session, "in common", writes(project, { "common.txt": "c\n" }))
  const alike = { "alike.txt": "alike\n" }
  const gone = { "gone.txt": "for a moment\n" }
  await round(session, "first try", writes(project, { "a.txt": "a\n", "both.txt": "A\n2\n3\n", ...alike, ...gone }))
  await round(session, "tidy up", writes(project, { "gone.txt": null }))
  await session.label(session.head ?? "", "first")
  await session.back({ rounds: 2, files })
  await round(session, "second try", writes(project, { "b.txt": "b\n", "both.txt": "1\n2\nB\n", ...alike }))
  return { project, session }
}

test.each(["restore", "keep"] as const)("files in four groups, if going back did %s them", async (files) => {
  const { project, session } = await twoBranches(files)
  const [size, texts] = [session.history.size, textsOf(project)]
  const answer = await compared(session, { a: "first", patch: true })
  expect(answer.files).toMatchObject([
    { path: "a.txt", group: "only-a", a: { change: "added", added: 1 } },
    // With the files kept, the second branch found it there already.
    { path: "alike.txt", group: files === "keep" ? "only-a" : "same" },
    { path: "b.txt", group: "only-b", b: { change: "added", added: 1 } },
    { path: "both.txt", group: "different" },
  ])
  expect(answer).toMatchObject({
    round: 1,
    sides: [
      { name: "first", rounds: 2, calls: 2, isHead: false },
      { name: "head", rounds: 1, isHead: true },
    ],
  })
  expect(answer.sides.map(({ answer: last }) => last?.text)).toEqual(["did: tidy up", "did: second try"])
  expect(answer.patch).toContain("+++ b/both.txt")
  expect(answer.patch).not.toContain("alike.txt")
  expect([session.history.size, textsOf(project)]).toEqual([size, texts])
})

test("any two ends, in any order, are the same comparison the other way round", async () => {
  const { session } = await twoBranches("restore")
  const there = await compared(session, { a: "first", b: "head" })
  const back = await compared(session, { a: "head", b: "first" })
  expect([back.common, back.sides[0].tip, back.sides[1].tip]).toEqual([
    there.common,
    there.sides[1].tip,
    there.sides[0].tip,
  ])
  expect(back.files.map(({ group }) => group)).toEqual(["only-b", "same", "only-a", "different"])
})

test("a session and its copy are compared by the name of the copy, or of an entry in it", async () => {
  const { project, session } = await twoBranches("restore")
  const { session: copy } = await session.split("first")
  const answer = await compared(session, { a: copy.id, b: "head" }, project)
  expect(answer.sides[0]).toMatchObject({ session: copy.id, rounds: 2, isHead: false })
  expect(answer.files.map(({ group }) => group)).toEqual(["only-a", "same", "only-b", "different"])
  expect(answer.sides[0].uncovered).toBe(0)
  const at = await compared(session, { a: "first", b: `${copy.id}:@2` }, project)
  expect(at.sides.map(({ rounds }) => rounds)).toEqual([1, 0])
  await copy.close()
})

test("sessions that have nothing in common are refused, and so is a name that nothing has", async () => {
  const { project, session } = await twoBranches("restore")
  const other = await createSession(project.store, { cwd: project.root, made: { name: "test", version: "0" } })
  await round(other, "hello", { paths: [], run: () => undefined })
  await expect(compared(session, { a: other.id }, project)).rejects.toMatchObject({ code: "unrelated" })
  await expect(compared(session, { a: "nothing" }, project)).rejects.toMatchObject({
    failure: { code: "not-found", what: "entry", name: "nothing" },
  })
  await other.close()
})

test("without snapshots it is said what is not known", async () => {
  const { project, session } = await twoBranches("restore")
  const bare = sessionOn(project.store, await project.store.open(session.id), systemOptions())
  const answer = await compared(bare, { a: "first" })
  expect(answer.files.map(({ path, group }) => [path, group])).toEqual([
    ["a.txt", "only-a"],
    ["alike.txt", "unknown"],
    ["b.txt", "only-b"],
    ["both.txt", "unknown"],
    ["gone.txt", "only-a"],
  ])
  await bare.close()
})

test.each([60, 100, 140])(
  "no line is wider than a screen of %i columns, and the answers stand beside each other from 100 on",
  async (width) => {
    const { session } = await twoBranches("restore")
    const lines = comparedLines(await compared(session, { a: "first" }), width).map(({ text }) => text)
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(width)
    expect(
      lines.some((line) => line.includes("Last answer: first") && line.includes("Last answer: Where you are")),
    ).toBe(width >= 100)
    expect(lines[0]).toBe("“first” and your branch parted after round 1.")
  },
)
