// Checkpoints, changes and restores through the MCP server, in a session of Claude Code.
import { beforeEach, expect, test } from "vitest"
import type { SessionId } from "../../../src/model/id.ts"
import { ClaudeBench, say } from "./claude-bench.ts"

let bench: ClaudeBench
beforeEach(() => {
  bench = new ClaudeBench()
  bench.put("a.txt", "one\n")
  bench.put("keep.txt", "kept\n")
})

const allow = () => bench.run(["config", "mcp.restore", "apply"])

test("before the agent has a session, the answer says so", async () => {
  const client = await bench.connect()
  expect(await say(client, "checkpoint")).toMatchObject({ error: true })
  expect((await say(client, "checkpoint")).text).toContain("Claude Code has no session in")
})

test("a checkpoint is restored with the files that were changed, added and removed since, and undo takes it back", async () => {
  bench.prompt("work")
  const client = await bench.connect()
  expect((await say(client, "checkpoint", { name: "before" })).text).toBe('Saved as "before".')
  await bench.call("Bash", () => {
    bench.put("a.txt", "two\n")
    bench.put("new/b.txt", "new\n")
    bench.remove("keep.txt")
  })
  const plan = await say(client, "restore", { to: "before" })
  expect(plan.error).toBe(false)
  expect(plan.text).toContain("Would change 3 files")
  expect(plan.text).toContain("No call was recorded since then")
  expect(plan.text).toMatch(/or do this one: retcon restore before a.txt keep.txt new\/b.txt --theirs -s \w+/)
  expect(bench.get("a.txt")).toBe("two\n")

  await allow()
  expect((await say(client, "restore", { to: "before" })).text).toContain("Carry it out with apply")
  const done = await say(client, "restore", { to: "before", apply: true })
  expect(done.text).toContain("Changed 3 files")
  expect([bench.get("a.txt"), bench.get("keep.txt"), bench.get("new/b.txt")]).toEqual(["one\n", "kept\n", undefined])
  const undo = /retcon (undo -s \w+)/.exec(done.text)?.[1] ?? ""
  await bench.done(undo)
  expect([bench.get("a.txt"), bench.get("keep.txt"), bench.get("new/b.txt")]).toEqual(["two\n", undefined, "new\n"])
})

test("a person's restore to a checkpoint names what differs and is not recorded, and the command that it gives brings it back", async () => {
  bench.prompt("work")
  await say(await bench.connect(), "checkpoint", { name: "before" })
  await bench.call("Bash", () => bench.put("a.txt", "two\n"))
  const { out } = await bench.run(["restore", "before"])
  expect(out).not.toContain("No change to files is known")
  expect(out).toContain("Kept as it is: a.txt (changed since, by a tool call or by you)\n")
  const anyway = /: (?<command>retcon restore before PATH… --theirs -s \w+)/.exec(out.replace(/\s+/g, " "))?.groups
    ?.command
  await bench.done((anyway ?? "").replace("retcon ", "").replace("PATH…", "a.txt"))
  expect(bench.get("a.txt")).toBe("one\n")
})

test("a move that is done again leaves what no snapshot shows, and says so again", async () => {
  bench.prompt("first")
  bench.prompt("work")
  await bench.call("Bash", () => bench.put("a.txt", "two\n"))
  const ran = "1 shell command ran in a round without snapshots"
  for (const [move, says] of [
    ["back --files restore", true],
    ["undo", false],
    ["redo", true],
  ] as const)
    expect([move, (await bench.done(`${move} --even-if-running`)).includes(ran)]).toEqual([move, says])
})

test("without the person's permission apply changes nothing, and says how to give it", async () => {
  bench.prompt("work")
  const client = await bench.connect()
  await say(client, "checkpoint", { name: "before" })
  await bench.call("Edit", () => bench.put("a.txt", "two\n"))
  const { text } = await say(client, "restore", { to: "before", apply: true })
  expect(text).toContain("Agents may not carry it out here")
  expect(text).toContain("retcon config mcp.restore apply")
  expect(bench.get("a.txt")).toBe("two\n")
})

test("where calls were watched, each change has its author, and a restore leaves the person's edits", async () => {
  bench.prompt("work")
  const client = await bench.connect()
  await say(client, "checkpoint", { name: "before" })
  await bench.call("Edit", () => bench.put("a.txt", "two\n"), "watched")
  bench.put("keep.txt", "mine\n")
  const { text } = await say(client, "changes", { since: "before" })
  expect(text).toContain("2 files differ from before:")
  expect(text).toContain("M a.txt  +1 −1 (the agent with Edit, after @1)")
  expect(text).toContain("M keep.txt  +1 −1 (you or another program)")
  await allow()
  const done = await say(client, "restore", { to: "before", apply: true })
  expect(done.text).toContain("Only what the agent's calls changed")
  expect([bench.get("a.txt"), bench.get("keep.txt")]).toEqual(["one\n", "mine\n"])
})

test("where every call is watched and none was made since, a restore leaves what the person did since", async () => {
  await bench.ask("create b.txt with 1")
  const client = await bench.connect("retcon")
  await say(client, "checkpoint", { name: "here" })
  bench.put("keep.txt", "mine\n")
  bench.put("new.txt", "mine too\n")
  await allow()
  const { text } = await say(client, "restore", { to: "here", apply: true })
  expect(text).toBe("retcon knows no file that the agent changed since here. Nothing was changed; other edits stay.")
  expect([bench.get("keep.txt"), bench.get("new.txt")]).toEqual(["mine\n", "mine too\n"])
})

test("while another process runs a turn in retcon's own session, a restore is refused: it would end up in the middle of it", async () => {
  await bench.ask("create b.txt with 1", "create b.txt with 2")
  const client = await bench.connect("retcon")
  await allow()
  const [listed] = await bench.cli().store.list({ cwd: bench.cwd })
  const running = await bench.cli().store.open(listed?.id as SessionId)
  await running.lease.take()
  const { text } = await say(client, "restore", { to: "@2", apply: true })
  expect(text).toContain(`Process ${process.pid} is running a turn in this session.`)
  expect(bench.get("b.txt")).toContain("2")
  await running.lease.release()
  expect((await say(client, "restore", { to: "@2", apply: true })).text).toContain("Changed 1 file")
  await running.close()
})

test("a file that both changed says so, and with its path the difference is shown", async () => {
  bench.prompt("work")
  const client = await bench.connect()
  await say(client, "checkpoint", { name: "before" })
  await bench.call("Edit", () => bench.put("a.txt", "two\n"), "watched")
  bench.put("a.txt", "two\nmore\n")
  bench.put("keep.txt", "mine\n")
  const { text } = await say(client, "changes", { since: "before", path: "a.txt" })
  expect(text).toContain("(the agent with Edit, after @1, then you or another program)")
  expect(text).toContain("-one\n+two\n+more")
  expect(text).not.toContain("keep.txt")
})

test("only some paths come back", async () => {
  bench.prompt("work")
  const client = await bench.connect()
  await say(client, "checkpoint", { name: "before" })
  await bench.call("Bash", () => {
    bench.put("a.txt", "two\n")
    bench.put("keep.txt", "two\n")
  })
  await allow()
  await say(client, "restore", { to: "before", paths: ["a.txt"], apply: true })
  expect([bench.get("a.txt"), bench.get("keep.txt")]).toEqual(["one\n", "two\n"])
  expect(await say(client, "restore", { to: "before", paths: ["../other"] })).toMatchObject({ error: true })
})

test("changes since a prompt from before the first snapshot say that they cannot reach that far, and are not restored", async () => {
  bench.prompt("work")
  await bench.call("Edit", () => bench.put("a.txt", "two\n"))
  const client = await bench.connect()
  await say(client, "checkpoint", { name: "late" })
  bench.put("keep.txt", "mine\n")
  const { text } = await say(client, "changes")
  expect(text).toContain("There is no snapshot from @1: compared with the first one after it.")
  expect(text).toContain("keep.txt")
  const refused = await say(client, "restore", { to: "@1" })
  expect(refused).toMatchObject({ error: true })
  expect(refused.text).toContain('Checkpoints: "late".')
  expect((await say(client, "restore", { to: "nowhere" })).text).toContain("nowhere")
})

test("a prompt is compared with the checkpoint before it, not with a later one of its round", async () => {
  bench.prompt("first")
  const client = await bench.connect()
  await say(client, "checkpoint", { name: "one" })
  bench.prompt("second")
  await bench.call("Edit", () => bench.put("a.txt", "two\n"))
  await say(client, "checkpoint", { name: "two" })
  expect((await say(client, "changes", { since: "@2" })).text).toContain("M a.txt")
  expect((await say(client, "changes", { since: "two" })).text).toBe("No file differs from two.")
})

test("a checkpoint does not make the calls around it count as covered", async () => {
  bench.prompt("work")
  await bench.call("Edit", () => bench.put("a.txt", "two\n"))
  const client = await bench.connect()
  await say(client, "checkpoint", { name: "here" })
  const { out } = await bench.run(["goto", "@1", "--files", "restore", "--dry-run", "-s", "1f1f01"])
  expect(out).toContain("What Claude Code changed in a.txt stays: what it contained before is not")
})

test("a checkpoint made before the agent's call is on disk can be restored, and covers no call of that round", async () => {
  bench.prompt("first")
  bench.typed("second")
  const client = await bench.connect()
  await say(client, "checkpoint", { name: "safe" })
  await bench.call("Bash", () => bench.put("a.txt", "two\n"))
  expect((await say(client, "changes", { since: "safe" })).text).toMatch(/^1 file differs from safe:\nM a.txt/)
  const plan = await say(client, "restore", { to: "safe" })
  expect(plan.text).toContain("Would change 1 file:\n  M a.txt")
  expect(plan.text).not.toContain("is not known, and stays")
  bench.prompt("third")
  await bench.call("mcp__retcon__changes", () => {})
  await bench.call("Bash", () => bench.put("keep.txt", "two\n"))
  const { out } = await bench.run(["goto", "@2", "--files", "restore", "--dry-run", "-s", "1f1f01"])
  expect(out).toContain("2 shell commands ran in 2 rounds without snapshots")
})

test("checkpoints without a name are numbered, and a person can restore them too", async () => {
  bench.prompt("work")
  const client = await bench.connect()
  expect((await say(client, "checkpoint")).text).toContain('"checkpoint-1"')
  await bench.call("Edit", () => bench.put("a.txt", "two\n"))
  expect((await say(client, "checkpoint")).text).toContain('"checkpoint-2"')
  const { text } = await say(client, "restore", { to: "checkpoint-1" })
  const byHand = /or do this one: retcon (.*)/.exec(text)?.[1] ?? ""
  await bench.done(byHand)
  expect(bench.get("a.txt")).toBe("one\n")
})

test("the newest session of that agent is meant, not one of another agent or folder", async () => {
  bench.prompt("work")
  bench.clock = () => new Date(Date.now() - 60_000)
  bench.prompt("the older one", "5f0b3c5a-0d0b-4c55-9c3e-2f1f6f1f1f02")
  await bench.session(1)
  const client = await bench.connect()
  await say(client, "checkpoint", { name: "here" })
  const listed = (await bench.run(["ls", "--json"])).json() as { id: string; title: string }[]
  const labels = async (title: string) => {
    const id = listed.find((each) => each.title === title)?.id ?? ""
    return bench.done(`log -s ${id}`)
  }
  expect(await labels("work")).toContain("here")
  expect(await labels("the older one")).not.toContain("here")
})
