// What the machine does any day: a full disk, a folder that cannot be written, a file that goes away. Nothing is lost,
// and the next append works when the cause is gone.
import { spawnSync } from "node:child_process"
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from "node:fs"
import { dirname, join } from "node:path"
import { expect, test } from "vitest"
import { printRecord } from "../../src/model/record/record-print.ts"
import { openSession } from "../../src/session/session.ts"
import { indexFile } from "../../src/store/file/disk/layout.ts"
import { fileStore } from "../../src/store/file/file-store.ts"
import {
  afterwards,
  type Child,
  codeOf,
  damage,
  FAST,
  header,
  message,
  newLog,
  openLog,
  parts,
  sameWhenReopened,
  say,
  start,
  temporaryFolder,
  texts,
} from "./kit.ts"

async function order(child: Child, line: string): Promise<string> {
  child.send(line)
  const { value, done } = await child.lines.next()
  return done === true ? `ended: ${(await child.ended).errors}` : value
}

async function worker(file: string, home: string, under: string[] = []): Promise<Child> {
  const child = await start("obey", [file, home], under)
  afterwards(() => child.process.kill("SIGKILL"))
  return child
}

/** Whether a command of the system does what it is asked; its reason when not. */
function system(command: string, ...args: string[]): string | undefined {
  const done = spawnSync(command, args)
  return done.status === 0 ? undefined : (done.error?.message ?? done.stderr.toString().trim())
}

test("a write that the limit on file sizes cuts short is an error, and the rest is not written later", async () => {
  const { file, home, log } = await newLog()
  const child = await worker(file, home, ["bash", "-c", 'ulimit -S -f 100; exec "$@"', "sh"])
  expect(await order(child, "say one")).toBe("ok")
  expect(await order(child, "lots a")).toBe("ok")
  expect(await order(child, "lots b")).toBe("disk-full")
  expect(statSync(file).size).toBe(100 * 1024)
  log.refresh()
  expect(texts(log)[0]).toBe("one")
  expect(await order(child, "say two")).toBe("disk-full")
  expect(system("prlimit", "--pid", String(child.process.pid), "--fsize=unlimited")).toBe(undefined)
  expect(await order(child, "say three")).toBe("ok")
  log.refresh()
  // The records that fitted are whole, and anyone who opens the session is behind them.
  const said = texts(log).map((text) => text.slice(0, 5).trim())
  expect(said).toEqual(["one", "a1 xx", "a2 xx", "a3 xx", ...said.filter((text) => text.startsWith("b")), "three"])
  expect(damage(log).length).toBe(1)
  await sameWhenReopened(log)
})

test("a full disk is reported, nothing is lost, and the next append works once there is room", async ({ skip }) => {
  const home = temporaryFolder()
  const problem = system("mount", "-t", "tmpfs", "-o", "size=512k", "tmpfs", home)
  if (problem !== undefined) skip(`no disk of its own can be mounted here: ${problem}`)
  afterwards(() => system("umount", "-l", home))
  const store = fileStore({ home })
  const log = await store.create(header())
  afterwards(() => log.close())
  await say(log, "one")
  writeFileSync(join(home, "filler"), Buffer.alloc(300_000))
  let refused = 0
  for (let n = 0; n < 40 && refused === 0; n++) {
    const code = await codeOf(log.append([message(null, "z".repeat(20_000))], { durability: "sync" }))
    if (code !== "none") refused++
    if (code !== "none") expect(code).toBe("disk-full")
  }
  expect(refused).toBe(1)
  expect(await codeOf(log.append([message(null, "y".repeat(50_000))], FAST))).toBe("disk-full")
  expect(await codeOf(store.create(header({ cwd: "/full" })))).toBe("disk-full")
  expect(await codeOf(log.lease.take())).toBe("disk-full")
  expect((await store.list()).map((session) => session.id)).toEqual([log.id])
  rmSync(join(home, "filler"))
  await say(log, "two")
  await log.append([message(null, "y".repeat(50_000))], FAST)
  expect(damage(log).length).toBeLessThanOrEqual(1)
  expect(await log.lease.take()).toEqual({ ok: true })
  await sameWhenReopened(log)
  expect(names(home).filter((name) => name.endsWith(".tmp"))).toEqual([])
})

function names(folder: string): string[] {
  return readdirSync(folder, { recursive: true }).map(String)
}

test("a log that cannot be written is refused, still read, and written once it can be", async ({ skip }) => {
  const { file, store, id, log } = await newLog()
  await say(log, "one")
  const problem = system("chattr", "+i", file)
  if (problem !== undefined) skip(`no file can be made immutable here: ${problem}`)
  afterwards(() => system("chattr", "-i", file))
  const opened = await store.open(id)
  afterwards(() => opened.close())
  expect([opened.access, texts(opened)]).toEqual(["read-only", ["one"]])
  for (const view of [log, opened]) expect(await codeOf(view.append([message(null, "no")], FAST))).toBe("read-only")
  expect(texts(openLog(file))).toEqual(["one"])
  system("chattr", "-i", file)
  await say(opened, "two")
  expect(opened.access).toBe("full")
  await say(log, "three")
  expect(texts(log)).toEqual(["one", "two", "three"])
  await sameWhenReopened(log)
})

test("in a folder that another owns a session is read, not written, and no index is needed", async ({ skip }) => {
  const { home, file, log } = await newLog()
  await say(log, "one")
  await log.close()
  rmSync(indexFile(file))
  for (const folder of [home, join(home, "sessions"), dirname(file)]) chmodSync(folder, 0o755)
  chmodSync(file, 0o644)
  const child = await worker(file, home, ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"])
  const access = await order(child, "access")
  if (access.startsWith("ended")) skip(`no process can run as another user here: ${access}`)
  expect(access).toBe("read-only")
  expect(await order(child, "say no")).toBe("read-only")
  expect(await order(child, `paste no`)).toBe("read-only")
  expect(await order(child, "begin")).toBe("read-only")
  chmodSync(file, 0o666)
  expect(await order(child, "say two")).toBe("ok")
  expect(await order(child, "paste no")).toBe("read-only")
  expect(await order(child, "say three")).toBe("ok")
  expect(texts(openLog(file))).toEqual(["one", "two", "three"])
})

test("a file that goes away is missed, and written to again once it is back", async () => {
  const { file, log, store, id } = await newLog()
  await say(log, "one")
  const kept = readFileSync(file)
  unlinkSync(file)
  expect(await codeOf(log.append([message(null, "lost?")], FAST))).toBe("vanished")
  expect(texts(log)).toEqual(["one"])
  expect(await codeOf(store.open(id))).toBe("not-found")
  writeFileSync(file, kept)
  await say(log, "two")
  expect(texts(log)).toEqual(["one", "two"])
  await sameWhenReopened(log)
})

test("a session that is moved to the trash is not written to there, and can be brought back", async () => {
  const { home, file, log, store, id } = await newLog()
  await say(log, "one")
  await store.remove(id)
  const trashed = names(join(home, "trash")).find((name) => name.endsWith(".jsonl"))
  const place = join(home, "trash", trashed ?? "")
  const before = readFileSync(place)
  expect(await codeOf(log.append([message(null, "no")], { durability: "sync" }))).toBe("vanished")
  expect(await codeOf(log.append([message(null, "no")], FAST))).toBe("vanished")
  expect(readFileSync(place).equals(before)).toBe(true)
  renameSync(place, file)
  await say(log, "two")
  expect(texts(log)).toEqual(["one", "two"])
})

test("a line written while its session was moved to the trash is there when it is restored", async () => {
  const { home, file, log, store, id } = await newLog()
  const [one = ""] = await say(log, "one")
  await store.remove(id)
  const trashed = names(join(home, "trash")).find((name) => name.endsWith(".jsonl"))
  await log.append([message(one, "went along")], FAST)
  log.refresh()
  expect(await codeOf(log.append([message(null, "no")], FAST))).toBe("vanished")
  renameSync(join(home, "trash", trashed ?? ""), file)
  expect(texts(log)).toEqual(["one", "went along"])
  await say(log, "two")
  await sameWhenReopened(log)
})

test("a session with its own head, whose file is replaced, continues in that file where it was", async () => {
  const { file, store, id } = await newLog()
  const session = await openSession(store, id, { ...parts, head: "own" })
  await say(session.log, "one", "two")
  session.follow()
  const copy = `${file}.copy`
  copyFileSync(file, copy)
  appendFileSync(copy, `${printRecord(message(null, "theirs"))}\n`)
  renameSync(copy, file)
  const head = session.head
  const [mine] = await session.append({
    type: "message",
    role: "user",
    origin: "prompt",
    content: [{ type: "text", text: "three" }],
  })
  const log = openLog(file)
  expect(texts(log)).toEqual(["one", "two", "three"])
  expect([log.history.id(log.history.parent(log.history.rowOf(mine ?? ""))), session.head]).toEqual([head, mine])
  await session.close()
})

test("another session, a folder or nothing readable in its place is not written to", async () => {
  const { file, log } = await newLog()
  await say(log, "one")
  const kept = readFileSync(file)
  writeFileSync(`${file}.other`, `${printRecord(header())}\n`)
  renameSync(`${file}.other`, file)
  expect(await codeOf(log.append([message(null, "no")], FAST))).toBe("vanished")
  unlinkSync(file)
  mkdirSync(file)
  expect(await codeOf(log.append([message(null, "no")], FAST))).toBe("not-a-session")
  rmSync(file, { recursive: true })
  writeFileSync(file, kept)
  await say(log, "two")
  expect(texts(log)).toEqual(["one", "two"])
})

test("a log that shrinks while it is open is read again, and the session continues from what is left", async () => {
  const { file, store, id } = await newLog()
  const session = await openSession(store, id, parts)
  await say(session.log, "one", "two", "three")
  session.follow()
  const lines = readFileSync(file, "utf8").split("\n")
  writeFileSync(file, `${lines.slice(0, 3).join("\n")}\n`)
  await session.append({ type: "message", role: "user", origin: "prompt", content: [{ type: "text", text: "four" }] })
  expect(texts(session.log)).toEqual(["one", "two", "four"])
  await sameWhenReopened(session.log)
  await session.close()
})

test("reading from a log that is closed is refused, not answered with another file's bytes", async () => {
  const { log } = await newLog()
  await say(log, "one")
  await log.close()
  expect(await codeOf(() => log.line(1))).toBe("io")
  expect(await codeOf(() => log.history.record(1))).toBe("io")
  expect(log.refresh()).toBe(0)
})
