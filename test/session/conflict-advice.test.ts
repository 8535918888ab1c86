// A move that is refused because of conflicts says what to do: whoever does it does not get the same refusal again.
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import type { AdviceStep, ConflictChoice } from "../../src/model/failure/failure.ts"
import { wordsFor } from "../../src/model/failure/failure-words.ts"
import { makeProject, type Project, round } from "./project.ts"

type Doing = (project: Project) => void
const BINARY = Buffer.from([0, 1, 2])

/** What the file is, what the agent makes of it, what the person makes of that; and what is offered then. */
const CONFLICTS: Record<string, { was: Doing; agent: Doing; person: Doing; offered: ConflictChoice[] }> = {
  "the same lines": {
    was: (project) => project.write("x", "one\n"),
    agent: (project) => project.write("x", "agent\n"),
    person: (project) => project.write("x", "person\n"),
    offered: ["ours", "theirs", "write-conflicts"],
  },
  "what is not text": {
    was: (project) => writeFileSync(join(project.root, "x"), Buffer.concat([BINARY, BINARY])),
    agent: (project) => writeFileSync(join(project.root, "x"), Buffer.concat([BINARY, Buffer.from("agent")])),
    person: (project) => writeFileSync(join(project.root, "x"), Buffer.concat([BINARY, Buffer.from("person")])),
    offered: ["ours", "theirs"],
  },
  "the kind of a file": {
    was: (project) => project.write("x", "one\n"),
    agent: (project) => project.write("x", "agent\n"),
    person: (project) => {
      rmSync(join(project.root, "x"))
      symlinkSync("elsewhere", join(project.root, "x"))
    },
    offered: ["ours", "theirs"],
  },
  "a file that the person created again": {
    was: (project) => project.write("x", "one\n"),
    agent: (project) => rmSync(join(project.root, "x")),
    person: (project) => project.write("x", "person\n"),
    offered: ["ours", "theirs", "write-conflicts"],
  },
  "a file where a folder was": {
    was: (project) => {
      mkdirSync(join(project.root, "x"))
      project.write("x/inside", "one\n")
    },
    agent: (project) => rmSync(join(project.root, "x"), { recursive: true }),
    person: (project) => project.write("x", "person\n"),
    offered: ["ours", "theirs"],
  },
  "a folder with an ignored file where a file was": {
    was: (project) => {
      project.write(".gitignore", "*.log\n")
      project.write("x", "one\n")
    },
    agent: (project) => {
      rmSync(join(project.root, "x"))
      mkdirSync(join(project.root, "x"))
      project.write("x/made", "agent\n")
    },
    person: (project) => project.write("x/mine.log", "person\n"),
    offered: ["ours"],
  },
}

test.each(Object.entries(CONFLICTS))("a conflict about %s", async (about, { was, agent, person, offered }) => {
  const project = makeProject()
  was(project)
  const session = await project.open()
  await round(session, "start", { paths: [], run: () => undefined })
  await round(session, "edit", { ...(about === "what is not text" && { paths: ["x"] }), run: () => agent(project) })
  person(project)
  const refused = await session.back({ files: "restore", dryRun: true })
  if (refused.outcome !== "refused") throw new Error(`not refused: ${JSON.stringify(refused)}`)
  expect(refused.failure.code).toBe("conflicts")
  const steps = wordsFor(refused.failure).advice
  const choices = (typeof steps === "string" ? [] : steps)
    .filter((step): step is AdviceStep => typeof step !== "string")
    .flatMap((step) => (step.do === "resolve" ? [step.choice] : []))
  expect(choices).toEqual(offered)
  for (const onConflict of choices)
    expect([onConflict, (await session.back({ files: "restore", dryRun: true, onConflict })).outcome]).toEqual([
      onConflict,
      "planned",
    ])
  for (const onConflict of (["theirs", "write-conflicts"] as const).filter((each) => !choices.includes(each)))
    expect(await session.back({ files: "restore", dryRun: true, onConflict })).toMatchObject({ outcome: "refused" })
})
