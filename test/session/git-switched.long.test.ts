// Branches that were switched, and work that was committed, between a moment and now. Real git moves the repository.
import { readdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import type { MoveResult } from "../../src/model/move/moved.ts"
import { git } from "../workspace/folder.ts"
import { makeProject, type Project, round } from "./project.ts"

/** `main` and `feature` hold `shared.txt` each in its own words, and a file that the other does not have. */
function twoBranches(format = "sha1"): { project: Project; run: (...args: string[]) => string } {
  const project = makeProject({ git: true })
  const run = (...args: string[]) => git(project.root, ...args)
  if (format !== "sha1") {
    rmSync(join(project.root, ".git"), { recursive: true })
    run("init", "-q", "-b", "main", `--object-format=${format}`)
  }
  const commit = (files: Record<string, string>, subject: string) => {
    for (const [path, text] of Object.entries(files)) project.write(path, text)
    run("add", "-A")
    run("commit", "-q", "-m", subject)
  }
  commit({ "shared.txt": "one\ntwo\nthree\n", "same.txt": "same\n" }, "first")
  run("switch", "-q", "-c", "feature")
  commit({ "shared.txt": "one\nof feature\nthree\nfour\n", "lib/only.txt": "feature\n" }, "feature work")
  run("switch", "-q", "main")
  commit({ "old/main.txt": "main\n" }, "main work")
  return { project, run }
}

function facts(result: MoveResult) {
  if (result.outcome === "refused") throw new Error(`refused: ${JSON.stringify(result)}`)
  const kept = result.kept.map(({ path, because }) => `${path} ${because}`)
  return { files: result.files.map(({ path, change }) => `${path} ${change}`), kept, commits: result.commits }
}

const switchedFiles = ["lib/only.txt", "old/main.txt", "shared.txt"].map((path) => `${path} git-switched`)

test.each(["sha1", "sha256"])(
  "what the agent's switch brought stays, with the line that goes back; what it made besides is taken back (%s)",
  async (format) => {
    const { project, run } = twoBranches(format)
    const session = await project.open()
    await round(session, "switch", {
      run: () => {
        run("switch", "-q", "feature")
        project.write("made.txt", "agent\n")
        project.write("shared.txt", "one\nof feature\nthree\nfour\nagent\n")
      },
    })
    await round(session, "edit", { paths: ["lib/only.txt"], run: () => project.write("lib/only.txt", "agent\n") })
    const moved = facts(await session.goto("@1", { files: "restore" }))
    expect(moved.files).toEqual(["lib/only.txt modified", "made.txt deleted", "shared.txt modified"])
    expect(moved.kept).toEqual(["old/main.txt git-switched"])
    expect(moved.commits).toMatchObject([{ switched: { from: "main", to: "feature", command: "git switch main" } }])
    expect(run("status", "--porcelain")).toBe("")
    await session.undo()
    expect(project.read("shared.txt")).toBe("one\nof feature\nthree\nfour\nagent\n")
    expect(project.read("lib/only.txt")).toBe("agent\n")
  },
)

test("a switch is understood in a packed repository, where git stores files and folders as differences", async () => {
  const { project, run } = twoBranches()
  const lines = (word: string) =>
    Array.from({ length: 300 }, (_, i) => `${i === 150 ? word : i} of a long text\n`).join("")
  for (const branch of ["main", "feature"]) {
    run("switch", "-q", branch)
    for (let i = 0; i < 60; i++) project.write(`many/file-${i}.txt`, `${i}\n`)
    project.write("many/long.txt", lines(branch))
    run("add", "-A")
    run("commit", "-q", "-m", `long of ${branch}`)
  }
  run("switch", "-q", "main")
  run("gc", "-q")
  const pack = readdirSync(join(project.root, ".git/objects/pack")).find((name) => name.endsWith(".idx"))
  const packed = run("verify-pack", "-v", `.git/objects/pack/${pack}`).split("\n")
  for (const type of ["tree", "blob"])
    expect(packed.filter((row) => new RegExp(`^[0-9a-f]+ ${type} .* [0-9a-f]{40}$`).test(row))).not.toEqual([])
  const session = await project.open()
  await round(session, "switch", {
    run: () => {
      run("switch", "-q", "feature")
      project.write("many/long.txt", `agent\n${lines("feature")}`)
    },
  })
  const moved = facts(await session.goto("@1", { files: "restore" }))
  expect(moved.files).toEqual(["many/long.txt modified"])
  expect(moved.kept).toEqual(switchedFiles)
  expect(run("status", "--porcelain")).toBe("")
})

test("what was committed and switched away from in one command stays committed", async () => {
  const { project, run } = twoBranches()
  const session = await project.open()
  await round(session, "edit", { paths: ["same.txt"], run: () => project.write("same.txt", "agent\n") })
  await round(session, "leave", {
    run: () => {
      run("commit", "-qam", "by agent")
      run("switch", "-q", "feature")
    },
  })
  const moved = facts(await session.back({ files: "restore" }))
  expect(moved).toMatchObject({
    files: [],
    kept: [...switchedFiles.slice(0, 2), "same.txt git-switched", switchedFiles[2]],
  })
  expect(run("status", "--porcelain")).toBe("")
})

test("a pull brings files too, and the way back is the commit", async () => {
  const { project, run } = twoBranches()
  run("switch", "-q", "-c", "behind", "main~1")
  const [then] = run("rev-parse", "HEAD").split("\n")
  const session = await project.open()
  await round(session, "pull", { run: () => void run("pull", "-q", "--ff-only", ".", "main") })
  const moved = facts(await session.goto("@1", { files: "restore" }))
  expect(moved).toMatchObject({ files: [], kept: ["old/main.txt git-switched"] })
  expect(moved.commits[0]?.switched?.command).toBe(`git checkout ${then?.slice(0, 12)}`)
  expect(project.read("old/main.txt")).toBe("main\n")
})

test("a command that edits and commits is taken back, with its commit named", async () => {
  const { project, run } = twoBranches()
  const session = await project.open()
  await round(session, "commit", {
    run: () => {
      project.write("same.txt", "agent\n")
      run("commit", "-qam", "by agent")
    },
  })
  const moved = facts(await session.goto("@1", { files: "restore" }))
  expect(moved).toMatchObject({
    files: ["same.txt modified"],
    kept: [],
    commits: [{ made: [{ subject: "by agent" }] }],
  })
  expect(project.read("same.txt")).toBe("same\n")
})

test("the person commits the agent's work with their own: only the agent's lines go, and the commit is named", async () => {
  const { project, run } = twoBranches()
  const session = await project.open()
  const edited = "ONE\ntwo\nthree\n"
  await round(session, "edit", { paths: ["shared.txt"], run: () => project.write("shared.txt", edited) })
  project.write("shared.txt", `${edited}mine\n`)
  run("commit", "-qam", "by both")
  const moved = facts(await session.goto("@1", { files: "restore" }))
  expect(moved).toMatchObject({ files: ["shared.txt modified"], commits: [{ made: [{ subject: "by both" }] }] })
  expect(project.read("shared.txt")).toBe("one\ntwo\nthree\nmine\n")
})

test("after the person switched, files of the other branch are no conflict: they stay, and are named", async () => {
  const { project, run } = twoBranches()
  const session = await project.open()
  await round(session, "edit", {
    paths: ["shared.txt", "old/main.txt"],
    run: () => {
      project.write("shared.txt", "one\nTWO\nthree\n")
      project.write("old/main.txt", "agent\n")
    },
  })
  run("commit", "-qam", "by agent")
  run("switch", "-q", "feature")
  const moved = facts(await session.goto("@1", { files: "restore" }))
  expect(moved).toMatchObject({ files: [], kept: ["old/main.txt git-switched", "shared.txt git-switched"] })
  expect(moved.commits[0]?.switched?.command).toBe("git switch main")
  expect(run("status", "--porcelain")).toBe("")
})

test("a file edited on the other branch conflicts only where the agent's change is in it; both branches are named", async () => {
  const { project, run } = twoBranches()
  const session = await project.open()
  await round(session, "edit", {
    paths: ["shared.txt"],
    run: () => project.write("shared.txt", "one\ntwo\nagent\nthree\n"),
  })
  run("commit", "-qam", "by agent")
  run("switch", "-q", "feature")
  project.write("shared.txt", "one\ntwo\nmine\nthree\n")
  expect(facts(await session.goto("@1", { files: "restore", dryRun: true })).files).toEqual([])
  project.write("shared.txt", "one\nTWO\nagent, changed\nagent\nTHREE\n")
  const refused = await session.goto("@1", { files: "restore" })
  if (refused.outcome !== "refused") throw new Error("expected a conflict")
  expect(refused.conflicts).toMatchObject([{ path: "shared.txt", branches: { from: "main", to: "feature" } }])
})
