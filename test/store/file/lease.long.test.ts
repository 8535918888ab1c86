// The lease between processes: one holder, who lives.
import { spawnSync } from "node:child_process"
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from "node:fs"
import { hostname } from "node:os"
import { dirname, join } from "node:path"
import { expect, test } from "vitest"
import { openSession } from "../../../src/session/session.ts"
import { promptDraft } from "../../../src/session/state/draft.ts"
import { leaseFile } from "../../../src/store/file/disk/layout.ts"
import { holderOf } from "../../../src/store/file/locks/claim.ts"
import { fileLease } from "../../../src/store/file/locks/lease.ts"
import { afterwards, type Child, newLog, parts, start, temporaryFolder } from "../kit.ts"

async function order(child: Child, line: string): Promise<string> {
  child.send(line)
  return (await child.lines.next()).value as string
}

async function begin(program: string, args: string[]): Promise<Child> {
  const child = await start(program, args)
  afterwards(() => child.process.kill("SIGKILL"))
  return child
}

async function end(child: Child): Promise<void> {
  child.process.kill("SIGKILL")
  await child.ended
}

const deadPid = () => spawnSync(process.execPath, ["-e", ""]).pid

test("while a turn runs elsewhere a move is refused and a label is not; when that process dies, it is ours", async () => {
  const { store, id, file, home } = await newLog()
  const session = await openSession(store, id, parts)
  await session.append([promptDraft("one"), promptDraft("two")])
  const other = await begin("obey", [file, home])
  expect(await order(other, "begin")).toBe("ok")
  const pid = other.process.pid
  for (const moved of [await session.back(), await session.goto("@1"), await session.undo()]) {
    expect(moved).toEqual({ outcome: "refused", failure: { code: "session-busy", session: id, pid } })
  }
  await expect(session.beginTurn()).rejects.toMatchObject({ failure: { code: "session-busy", pid } })
  await session.label("head", "still possible")
  await session.configure("title", "still possible")
  expect(session.labels().size).toBe(1)
  await end(other)
  expect((await session.back()).outcome).toBe("moved")
  const turn = await session.beginTurn()
  await turn.end()
  await session.close()
  expect(existsSync(leaseFile(file))).toBe(false)
})

test("a list says in which sessions another process runs a turn; not in which we do", async () => {
  const { store, id, file, home } = await newLog()
  const session = await openSession(store, id, parts)
  await session.append([promptDraft("one")])
  const busy = async () => (await store.list()).map((listed) => listed.busy)
  const turn = await session.beginTurn()
  expect(await busy()).toEqual([undefined])
  await turn.end()
  const other = await begin("obey", [file, home])
  expect(await order(other, "begin")).toBe("ok")
  expect(await busy()).toEqual([true])
  await end(other)
  expect(await busy()).toEqual([undefined])
  await session.close()
})

test("our own turn is distinguished from another's, and refuses them with our pid", async () => {
  const { store, id, file, home } = await newLog()
  const session = await openSession(store, id, parts)
  await session.append([promptDraft("one"), promptDraft("two")])
  await session.beginTurn()
  const other = await begin("obey", [file, home])
  expect(await order(other, "back")).toContain(`"pid":${process.pid}`)
  expect(await order(other, "label name")).toBe("ok")
  expect((await session.back()).outcome).toBe("moved")
  expect(await order(other, "begin")).toBe("ok")
  await session.close()
})

test("a pid that was given to another process since does not count", async () => {
  const { log, file } = await newLog()
  const holder = { pid: process.pid, host: hostname(), started: "12345" }
  writeFileSync(leaseFile(file), JSON.stringify(holder))
  expect(log.lease.holder()).toBe(undefined)
  expect(await log.lease.take()).toEqual({ ok: true })
})

const ruins = ["", "{", "null", "[]", '{"pid":"x","host":1}', '{"pid":-1,"host":"HOST","started":""}', "\0\0\0"]
test.each(ruins)("a lease that says %j is nobody's", async (text) => {
  const { log, file } = await newLog()
  writeFileSync(leaseFile(file), text.replace("HOST", hostname()))
  expect(log.lease.holder()).toBe(undefined)
  expect(await log.lease.take()).toEqual({ ok: true })
  await log.lease.release()
  expect(existsSync(leaseFile(file))).toBe(false)
})

test("a folder in its place is nobody's", async () => {
  const { log, file } = await newLog()
  mkdirSync(leaseFile(file))
  expect(log.lease.holder()).toBe(undefined)
  expect(await log.lease.take()).toEqual({ ok: true })
})

test("a holder on another machine lives as long as its heart beats", async () => {
  const file = join(temporaryFolder(), "x.lease")
  let now = Date.now()
  const lease = fileLease(file, () => now)
  writeFileSync(file, JSON.stringify({ pid: 1, host: "elsewhere", started: "" }))
  expect(await lease.take()).toEqual({ ok: false, pid: 1 })
  now += 59_000
  expect(lease.holder()?.pid).toBe(1)
  utimesSync(file, now / 1000, now / 1000)
  now += 59_000
  expect(lease.holder()?.pid).toBe(1)
  now += 2_000
  expect(lease.holder()).toBe(undefined)
  expect(await lease.take()).toEqual({ ok: true })
  await lease.release()
})

test("a taker that died while taking over does not keep others from it", async () => {
  const { log, file } = await newLog()
  const dead = JSON.stringify({ pid: deadPid(), host: hostname(), started: "1" })
  writeFileSync(leaseFile(file), dead)
  writeFileSync(`${leaseFile(file)}.takeover`, dead)
  expect(await log.lease.take()).toEqual({ ok: true })
  await log.lease.release()
  expect(readdirSync(dirname(file)).filter((name) => name.includes("lease"))).toEqual([])
})

test.each([
  ["file", 60],
  ["folder", 20],
])("of many processes that race for a dead holder's %s exactly one wins, every time", async (kind, rounds) => {
  const file = join(temporaryFolder(), "x.lease")
  const racers = await Promise.all(Array.from({ length: 6 }, () => begin("take", [file, kind])))
  for (const racer of racers) expect((await racer.lines.next()).value).toBe("ready")
  const dead = deadPid()
  for (let round = 0; round < rounds; round++) {
    if (round % 3 !== 0) writeFileSync(file, JSON.stringify({ pid: dead, host: hostname(), started: "1" }))
    const answers = await Promise.all(racers.map((racer) => order(racer, "take")))
    expect(answers.filter((answer) => answer === "mine").length).toBe(1)
    const winner = racers[answers.indexOf("mine")] as Child
    expect(holderOf(file)).toMatchObject({ pid: winner.process.pid })
    await order(winner, "release")
  }
  expect(readdirSync(dirname(file))).toEqual([])
})

test.each(["lease", "move"])("a FIFO as %s keeps nobody waiting", async (what) => {
  const { store, id, file } = await newLog()
  const session = await openSession(store, id, parts)
  await session.append([promptDraft("one"), promptDraft("two")])
  for (const name of [`${file.slice(0, -6)}.${what}`, `${file.slice(0, -6)}.${what}.takeover`]) {
    expect(spawnSync("mkfifo", [name]).status).toBe(0)
  }
  expect((await session.back()).outcome).toBe("moved")
  await (await session.beginTurn()).end()
  await session.close()
})

test("a lease that may not be read is held for as long as its heart beats", async ({ skip }) => {
  const file = join(temporaryFolder(), "x.lease")
  writeFileSync(file, JSON.stringify({ pid: deadPid(), host: hostname(), started: "1" }), { mode: 0o000 })
  const child = await start("take", [file], ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"])
  afterwards(() => child.process.kill("SIGKILL"))
  chmodSync(dirname(file), 0o777)
  if ((await child.lines.next()).done === true) skip("no process can run as another user here")
  expect(await order(child, "take")).toBe("not mine")
})

test("processes that do not see each other are distinguished, even on one machine", async ({ skip }) => {
  const { store, id, file, home } = await newLog()
  const session = await openSession(store, id, parts)
  await session.append([promptDraft("one"), promptDraft("two")])
  const turn = await session.beginTurn()
  const apart = ["unshare", "--pid", "--fork", "--mount-proc"]
  if (spawnSync(apart[0] ?? "", [...apart.slice(1), "true"]).status !== 0) skip("no namespace can be made here")
  const other = await start("obey", [file, home], apart)
  afterwards(() => other.process.kill("SIGKILL"))
  expect(await order(other, "back")).toContain(`"pid":${process.pid}`)
  expect(await order(other, "begin")).toContain("session-busy")
  await turn.end()
  expect(await order(other, "begin")).toBe("ok")
  expect(await session.back()).toMatchObject({ failure: { code: "session-busy" } })
  await expect(session.beginTurn()).rejects.toMatchObject({ code: "session-busy" })
  other.process.stdin?.end()
  await session.close()
})

test("a lease is private", async () => {
  const { log, file } = await newLog()
  await log.lease.take()
  expect(statSync(leaseFile(file)).mode & 0o777).toBe(0o600)
})
