import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { describe, expect, test, vi } from "vitest"
import { idNamed, matchId } from "../../src/app/library/named-session.ts"
import { sessionIdOf } from "../../src/formats/ids.ts"
import { RetconError } from "../../src/model/failure/retcon-error.ts"
import { type SessionId, shortId } from "../../src/model/id.ts"
import { createSession } from "../../src/session/session.ts"
import { promptDraft } from "../../src/session/state/draft.ts"
import { Bench, type Ran } from "./bench.ts"
import { CLAUDE_NAME, putClaudeSession } from "./claude-session.ts"

const chosen = async (ran: Promise<Ran>) => ((await ran).json() as { session: string }).session

describe("without -s", () => {
  test("the most recent session of this directory is meant", async () => {
    const bench = new Bench()
    await bench.session(2)
    const last = await bench.session(2)
    await bench.session(2, join(bench.folder, "elsewhere"))
    expect(await chosen(bench.run(["back", "--dry-run", "--json"]))).toBe(last.id)
  })

  test("a copy of it in another directory, with the same id, is not meant", async () => {
    const bench = new Bench()
    const here = await bench.session(3)
    const elsewhere = join(bench.home, "sessions", "a-copy-01234567")
    mkdirSync(elsewhere, { recursive: true })
    const copy = join(elsewhere, basename(here.log.file ?? ""))
    writeFileSync(copy, readFileSync(here.log.file ?? "", "utf8").replaceAll(bench.cwd, join(bench.folder, "other")))
    const before = readFileSync(copy, "utf8")
    expect((await bench.run(["back"])).exit).toBe(0)
    expect(readFileSync(copy, "utf8")).toBe(before)
    expect((await bench.run(["prompts", "--json"])).json()).toHaveLength(2)
  })

  test("recent means used last, not created last", async () => {
    const bench = new Bench()
    const first = await bench.session(2)
    await bench.session(2)
    await bench.run(["back", "-s", first.id])
    expect(await chosen(bench.run(["undo", "--json"]))).toBe(first.id)
  })

  test("archived sessions, tasks and empty sessions are passed over", async () => {
    const bench = new Bench()
    const wanted = await bench.session(2)
    const archived = await bench.session(2)
    await bench.run(["archive", archived.id])
    await bench.session(0)
    const { store, sessionOptions, made } = bench.cli()
    const from = { session: wanted.id, entry: wanted.head, as: "task" as const }
    const task = await createSession(store, { cwd: bench.cwd, made, from }, sessionOptions)
    await task.append(promptDraft("a task"))
    await task.close()
    expect(await chosen(bench.run(["back", "--dry-run", "--json"]))).toBe(wanted.id)
  })

  test("one that was moved back to its start is not empty: undo finds it", async () => {
    const bench = new Bench()
    const session = await bench.session(2)
    await bench.run(["goto", "start"])
    expect(await chosen(bench.run(["undo", "--json"]))).toBe(session.id)
  })

  test("no session is a failure that says how to find one", async () => {
    const bench = new Bench()
    const { exit, err } = await bench.run(["back"])
    expect(exit).toBe(1)
    expect(err).toBe(
      `retcon: There is no session in ${bench.cwd}.\n  See the sessions of all directories with: retcon ls --all\n`,
    )
    expect((await bench.run(["undo", "--json"])).error().code).toBe("no-session")
  })

  test("when there are only archived ones, they are listed", async () => {
    const bench = new Bench()
    const session = await bench.session(2)
    await bench.run(["archive"])
    const { hint } = (await bench.run(["back", "--json"])).error()
    expect(hint).toBe(`Name one with -s: ${session.id.slice(-6)} (retcon, archived) ask 1`)
  })
})

describe("with -s", () => {
  test("the beginning or the end of an id in any case, the whole id, or a file name it", async () => {
    const bench = new Bench()
    const session = await bench.session(2)
    const copy = join(bench.cwd, "copy.jsonl")
    copyFileSync(session.log.file ?? "", copy)
    const names = [session.id, session.id.toUpperCase(), session.id.slice(-4), session.id.slice(0, 20)]
    for (const name of [...names, session.log.file ?? "", "./copy.jsonl", "copy.jsonl"]) {
      expect(await chosen(bench.run(["back", "--dry-run", "--json", "-s", name]))).toBe(session.id)
    }
  })

  test("a session of another directory can be named", async () => {
    const bench = new Bench()
    const session = await bench.session(2, join(bench.folder, "elsewhere"))
    expect(await chosen(bench.run(["back", "--json", "-s", session.id.slice(-6)]))).toBe(session.id)
  })

  test("a part that fits none, or is too short, is not found", async () => {
    const bench = new Bench()
    const session = await bench.session(2)
    for (const name of ["ffffffff", session.id.slice(-3), "", "no such thing"]) {
      expect((await bench.run(["back", "--json", "-s", name])).error().code).toBe("not-found")
    }
  })

  test("a part that fits several is refused, with ends that distinguish them", () => {
    const ids = ["019a0000-0000-7000-8000-00000001abcd", "019a0000-0000-7000-8000-00000002abcd"] as SessionId[]
    for (const name of ["019a", "abcd", "ABCD"]) {
      let failure: unknown
      try {
        matchId(ids, name)
      } catch (error) {
        failure = error instanceof RetconError ? error.failure : error
      }
      expect(failure).toEqual({ code: "ambiguous", what: "session", name, matches: ["01abcd", "02abcd"] })
    }
  })

  test("a part that fits sessions of several agents is refused; an id as retcon prints it reads no other agent's folder", async () => {
    const bench = new Bench()
    const { id } = await bench.session(2)
    const { file } = putClaudeSession(bench)
    const name = id.slice(0, 8) + CLAUDE_NAME.slice(8)
    writeFileSync(join(dirname(file), `${name}.jsonl`), readFileSync(file, "utf8").replaceAll(CLAUDE_NAME, name))
    rmSync(file)
    const { code, message } = (await bench.run(["log", "--json", "-s", id.slice(0, 8)])).error()
    expect([code, message]).toEqual(["ambiguous", expect.stringContaining(shortId(id))])
    expect(message).toContain(shortId(sessionIdOf("claude-code", name)))
    const cli = bench.cli()
    const list = vi.spyOn(cli.store.foreign, "list")
    for (const printed of [id, id.toUpperCase(), shortId(id)]) expect(await idNamed(cli, printed)).toBe(id)
    expect(list).not.toHaveBeenCalled()
    expect(await idNamed(cli, id.slice(0, 20))).toBe(id)
    expect(list).toHaveBeenCalledOnce()
  })

  test("files that are no sessions are refused with the reason", async () => {
    const bench = new Bench()
    writeFileSync(join(bench.cwd, "empty.jsonl"), "")
    writeFileSync(join(bench.cwd, "other.jsonl"), '{"role":"user","content":"hi"}\n')
    mkdirSync(join(bench.cwd, "folder.jsonl"))
    for (const name of ["empty.jsonl", "other.jsonl", "folder.jsonl", "/dev/null"]) {
      expect((await bench.run(["back", "--json", "-s", name])).error().code).toBe("not-a-session")
    }
    expect((await bench.run(["back", "--json", "-s", "missing.jsonl"])).error().code).toBe("not-found")
  })
})
