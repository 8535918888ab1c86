// The list of prompts: what a person typed, and nothing else, at any depth.
import { execFileSync } from "node:child_process"
import { describe, expect, test } from "vitest"
import { answerDraft, promptDraft } from "../../src/session/state/draft.ts"
import { Bench } from "./bench.ts"
import { FilesBench } from "./files-bench.ts"

async function listed(bench: FilesBench): Promise<string[]> {
  return (JSON.parse(await bench.done("prompts --json")) as { text: string }[]).map(({ text }) => text)
}

describe("prompts", () => {
  test("tasks of sub-agents are not listed", async () => {
    const bench = new FilesBench()
    const prompts = ["Review my authentication code\ndelegate: Analyze auth.rs", "Add unit tests"]
    await bench.ask(...prompts)
    expect(await listed(bench)).toEqual(prompts)
    const sessions = JSON.parse(await bench.done("ls --all --json")) as unknown[]
    expect(sessions).toHaveLength(2)
  })

  test("nor are tasks that a sub-agent gives", async () => {
    const bench = new FilesBench()
    const prompts = [
      'Refactor the project\ndelegate: "Check dependencies\ndelegate: Analyze package.json"',
      "Add documentation",
    ]
    await bench.ask(...prompts)
    expect(await listed(bench)).toEqual(prompts)
    const sessions = JSON.parse(await bench.done("ls --all --json")) as unknown[]
    expect(sessions).toHaveLength(3)
  })

  test("what a person typed stays a prompt, whatever it says", async () => {
    const bench = new FilesBench()
    const prompts = [
      "Review this",
      "Check that",
      "Analyze it all",
      "Warmup",
      "<command-name>/init</command-name> is what I typed",
    ]
    await bench.ask(...prompts)
    expect(await listed(bench)).toEqual(prompts)
  })

  test("each has its round, its time, the files it changed and the snapshots around it", async () => {
    const bench = new FilesBench()
    await bench.ask("create a.txt with one", "hello", "run echo x > b.txt; echo y > c.txt")
    const all = JSON.parse(await bench.done("prompts --json")) as {
      round: number
      at: string
      files: { path: string; change: string }[]
      before: string
      after: string
    }[]
    expect(all.map(({ round, files }) => [round, files.map(({ path }) => path)])).toEqual([
      [1, ["a.txt"]],
      [2, []],
      [3, ["b.txt", "c.txt"]],
    ])
    for (const { at, before, after } of all) {
      expect(new Date(at).toISOString()).toBe(at)
      expect([before, after]).toEqual([
        expect.stringMatching(/^[0-9a-f]{40}$/),
        expect.stringMatching(/^[0-9a-f]{40}$/),
      ])
    }
    expect(all[1]?.before).toBe(all[1]?.after)
    expect(all[0]?.after).toBe(all[1]?.before)
    const [first, second, third] = (await bench.done("prompts")).trim().split("\n")
    expect([first, second, third].map((line) => /\+\d files?$/.exec(line ?? "")?.[0])).toEqual([
      "+1 file",
      undefined,
      "+2 files",
    ])
  })

  test("--limit lists the last ones, with the same facts as in the whole list", async () => {
    const bench = new FilesBench()
    await bench.ask("create a.txt with one", "run echo x > b.txt; echo y > c.txt", "hello", "create d.txt with four")
    const all = JSON.parse(await bench.done("prompts --json")) as unknown[]
    for (const limit of [1, 2, 3, 4, 2_000_000]) {
      expect(JSON.parse(await bench.done(`prompts --json --limit ${limit}`))).toEqual(all.slice(-limit))
    }
    expect((await bench.done("prompts --limit 3")).match(/@\d/g)).toEqual(["@2", "@3", "@4"])
  })
})

test("each prompt names the commit of the repository before and after it", async () => {
  const bench = new FilesBench()
  const git = (...words: string[]) => execFileSync("git", words, { cwd: bench.cwd, encoding: "utf8" }).trim()
  git("init", "-q")
  git("config", "user.email", "you@example.org")
  git("config", "user.name", "You")
  bench.put("a.txt", "a\n")
  git("add", ".")
  git("commit", "-qm", "first")
  const first = git("rev-parse", "HEAD")
  await bench.ask("run echo b > a.txt && git commit -qam second", "create c.txt with c")
  const second = git("rev-parse", "HEAD")
  expect(second).not.toBe(first)
  const commits = (JSON.parse(await bench.done("prompts --json")) as { repositories: unknown }[]).map(
    ({ repositories }) => repositories,
  )
  expect(commits).toEqual([[{ path: "", before: first, after: second }], [{ path: "", before: second, after: second }]])
})

test("what was typed while the agent worked is listed under its prompt, and goto goes to before it", async () => {
  const bench = new Bench()
  const session = await bench.open(await bench.session(1))
  await session.append([promptDraft("ask 2"), answerDraft("hm")])
  const [steer] = await session.append(promptDraft("not like that", { origin: "steer" }))
  await session.append([answerDraft("I see"), promptDraft("ask 3"), answerDraft("answer 3")])
  await session.close()
  const all = (await bench.run(["prompts", "--json"])).json()
  expect(all).toMatchObject([
    { text: "ask 1", round: 1, steer: [] },
    { text: "ask 2", round: 2, steer: [{ id: steer, text: "not like that", at: expect.stringMatching(/^2026-/) }] },
    { text: "ask 3", round: 3, steer: [] },
  ])
  expect((await bench.run(["prompts", "--json", "--limit", "2"])).json()).toEqual((all as unknown[]).slice(1))
  const short = String(steer).slice(-6)
  const { out } = await bench.run(["prompts"])
  expect(out).toMatch(new RegExp(`@2 .* ask 2\\n \\+  ${short} .* not like that\\n@3 `))
  const went = await bench.run(["goto", short])
  expect(went.out).toContain(`Went to before message ${short}`)
  expect(went.out).toContain("not like that")
  expect((await bench.run(["prompts"])).out).not.toContain("not like that")
})
