import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { parseSessionId, shortId } from "../../src/model/id.ts"
import { plainText } from "../../src/model/record/record.ts"
import { openSession } from "../../src/session/session.ts"
import { Bench } from "./bench.ts"

describe("split", () => {
  test("makes a session that starts as this path, and leaves the source as it was", async () => {
    const bench = new Bench()
    const source = await bench.session(3)
    await bench.run(["title", "work"])
    const before = readFileSync(source.log.file ?? "", "utf8")
    const made = (await bench.run(["split", "head~1", "--json"])).json() as { session: string; head: string }
    expect(readFileSync(source.log.file ?? "", "utf8")).toBe(before)
    const { store, sessionOptions } = bench.cli()
    const id = parseSessionId(made.session)
    if (id === undefined) throw new Error("no id")
    const session = await openSession(store, id, sessionOptions)
    expect(session.context().map(({ content }) => plainText(content))).toEqual([
      "ask 1",
      "answer 1",
      "ask 2",
      "answer 2",
    ])
    expect(session.head).toBe(made.head)
    expect(session.config().get("title")).toBe("work (split)")
    await session.close()
  })

  test("at a prompt starts before it and gives its text back", async () => {
    const bench = new Bench()
    await bench.session(2)
    const { out } = await bench.run(["split", "@2"])
    expect(out).toMatch(
      /^Created session [0-9a-f]{6} from the path to [0-9a-f]{6}\. Session [0-9a-f]{6} is unchanged\.\n/,
    )
    expect(out).toContain("Your prompt, to edit and send again:\n\n  ask 2\n")
    expect((await bench.run(["split", "@1", "-s", (await bench.session(1)).id])).out).toContain(
      "the empty conversation",
    )
  })

  test("of an empty session makes nothing", async () => {
    const bench = new Bench()
    const empty = await bench.session(0)
    expect((await bench.run(["split", "-s", empty.id, "--json"])).error().code).toBe("invalid")
    expect(await bench.cli().store.list()).toHaveLength(1)
  })
})

describe("label", () => {
  test("gives an entry a name that goto understands, and removes it again", async () => {
    const bench = new Bench()
    const session = await bench.session(2)
    const entry = session.resolve("head~1")
    const short = shortId(entry)
    expect((await bench.run(["label", "head~1"])).out).toBe(`${short} has no name.\n`)
    expect((await bench.run(["label", "head~1", "good"])).out).toBe(`${short} is now called "good".\n`)
    expect((await bench.run(["label", "good", "better"])).out).toBe(`${short} is now called "better", not "good".\n`)
    expect((await bench.run(["label", "better", "--json"])).json()).toEqual({
      entry,
      label: "better",
      before: "better",
      from: null,
    })
    expect((await bench.run(["goto", "better", "--dry-run", "--json"])).json()).toMatchObject({ head: entry })
    expect((await bench.run(["label", "better", "--remove"])).out).toBe(`${short} is no longer called "better".\n`)
    expect((await bench.run(["goto", "better", "--json"])).error().code).toBe("not-found")
  })

  test("a name that is given to another entry moves, and the output says from where", async () => {
    const bench = new Bench()
    const session = await bench.session(2)
    const [one, two] = [session.resolve("@1"), session.resolve("@2")]
    await bench.run(["label", "@2", "Foo"])
    const { out } = await bench.run(["label", "@1", "Foo"])
    expect(out).toBe(`${shortId(one)} is now called "Foo". The name used to belong to ${shortId(two)}.\n`)
    expect((await bench.run(["label", "@2"])).out).toBe(`${shortId(two)} has no name.\n`)
    expect((await bench.run(["label", "@2", "Foo", "--json"])).json()).toMatchObject({ entry: two, from: one })
  })

  test("names that mean something else are refused, senseless calls are usage errors", async () => {
    const bench = new Bench()
    await bench.session(1)
    expect((await bench.run(["label", "head", "@2", "--json"])).error().code).toBe("invalid")
    expect((await bench.run(["label", "head", " "])).exit).toBe(2)
    expect((await bench.run(["label", "head", "a", "--remove"])).exit).toBe(2)
  })
})

describe("title", () => {
  test("is the first prompt until one is given, and again when it is taken away", async () => {
    const bench = new Bench()
    const session = await bench.session(1)
    expect((await bench.run(["title"])).out).toBe("ask 1\n")
    expect((await bench.run(["title", " The \u001b[31mbig\n one "])).out).toBe("The big one\n")
    expect((await bench.run(["title", "--json"])).json()).toEqual({ session: session.id, title: "The big one" })
    expect((await bench.run(["title", ""])).out).toBe("ask 1\n")
    expect((await bench.run(["title", "x".repeat(201), "--json"])).error().code).toBe("invalid")
  })
})

describe("archive and rm", () => {
  test("an archived session comes back with --undo", async () => {
    const bench = new Bench()
    const short = shortId((await bench.session(1)).id)
    expect((await bench.run(["archive"])).out).toBe(
      `Archived session ${short}. Undo this with: retcon archive --undo ${short}\n`,
    )
    expect((await bench.run(["archive", short])).out).toBe(`Session ${short} is already archived.\n`)
    expect((await bench.run(["archive", "--undo", short])).out).toBe(`Session ${short} is listed again.\n`)
    expect((await bench.run(["back", "--json"])).error().code).toBe("at-start")
  })

  test("rm moves to the trash and rm --restore brings it back, byte for byte", async () => {
    const bench = new Bench()
    const session = await bench.session(2)
    const file = session.log.file ?? ""
    const before = readFileSync(file)
    const short = shortId(session.id)
    expect((await bench.run(["rm", short])).out).toBe(
      `Moved session ${short} to the trash. Restore it with: retcon rm --restore ${short}\n`,
    )
    expect(existsSync(file)).toBe(false)
    expect((await bench.run(["back", "--json"])).error().code).toBe("no-session")
    expect((await bench.run(["rm", "--restore"])).err).toContain(`In the trash: ${short}.`)
    expect((await bench.run(["rm", "--restore", short])).out).toBe(`Session ${short} is back.\n`)
    expect(readFileSync(file)).toEqual(before)
    expect((await bench.run(["back"])).exit).toBe(0)
  })

  test("rm --restore never replaces a session that is there", async () => {
    const bench = new Bench()
    const session = await bench.session(1)
    const file = session.log.file ?? ""
    const before = readFileSync(file)
    await bench.run(["rm"])
    writeFileSync(file, before)
    expect((await bench.run(["rm", "--restore", session.id, "--json"])).error().code).toBe("exists")
    expect((await bench.run(["rm", "--restore", "ffffffff", "--json"])).error()).toMatchObject({
      code: "not-found",
      message: 'There is no session "ffffffff" in the trash.',
      hint: `Possible: ${shortId(session.id)}.`,
    })
    expect(readFileSync(file)).toEqual(before)
  })

  test("on a terminal rm asks first, and only yes is yes", async () => {
    const bench = new Bench()
    const session = await bench.session(1)
    for (const answer of ["", "n", "nay", "yellow"]) {
      const { exit, out } = await bench.run(["rm"], { answer })
      expect({ exit, out }).toEqual({ exit: 1, out: "Nothing was changed.\n" })
    }
    expect(bench.asked[0]).toBe(`Move session ${shortId(session.id)} (ask 1) to the trash? [y/N] `)
    expect((await bench.run(["rm"], { answer: "Yes" })).exit).toBe(0)
  })

  test("rm leaves alone a session in which a turn runs, and files outside its home", async () => {
    const bench = new Bench()
    const session = await bench.session(1)
    const other = await bench.open(session)
    const turn = await other.beginTurn()
    expect((await bench.run(["rm", "--json"])).error().code).toBe("session-busy")
    await turn.end()
    await other.close()
    writeFileSync(join(bench.cwd, "copy.jsonl"), readFileSync(session.log.file ?? ""))
    expect((await bench.run(["rm", "./copy.jsonl", "--json"])).error().code).toBe("invalid")
    expect(existsSync(session.log.file ?? "")).toBe(true)
  })

  test("two different sessions named at once are a usage error", async () => {
    const bench = new Bench()
    expect((await bench.run(["rm", "aaaa", "-s", "bbbb"])).exit).toBe(2)
  })
})

describe("config", () => {
  const stored = (bench: Bench) => readFileSync(join(bench.home, "config.json"), "utf8")

  test("shows every setting with its default", async () => {
    const bench = new Bench()
    expect((await bench.run(["config", "--json"])).json()).toEqual({
      durability: "sync",
      files: "keep",
      mode: "default",
      sandbox: "auto",
      "sandbox.network": "on",
      colour: "auto",
      pager: "auto",
      notify: "bell",
      "keep.auto": "on",
      "keep.budget": "5GB",
      "mcp.restore": "plan",
      model: "auto",
      "sandbox.write": "caches",
      trust: "no",
      "workspace.maxFiles": 100_000,
      "workspace.maxFileSize": 10_000_000,
      "workspace.include": [],
      "workspace.budget": 2_000_000_000,
      "workspace.allowAny": false,
    })
    expect((await bench.run(["config"])).out.split("\n")).toHaveLength(20)
    expect((await bench.run(["config", "files"])).out).toBe("keep\n")
    const { out } = await bench.run(["config"], { width: 60, isTerminal: true })
    for (const line of out.split("\n")) expect(line.length).toBeLessThanOrEqual(60)
  })

  test("changes one key and keeps all others, also those it does not know", async () => {
    const bench = new Bench()
    expect((await bench.run(["config", "durability", "fast"])).out).toBe("fast\n")
    expect(statSync(join(bench.home, "config.json")).mode & 0o777).toBe(0o600)
    writeFileSync(join(bench.home, "config.json"), '{"durability":"fast","newer":{"a":1}}')
    await bench.run(["config", "pager", "never"])
    expect(JSON.parse(stored(bench))).toEqual({ durability: "fast", newer: { a: 1 }, pager: "never" })
    await bench.run(["config", "durability", "--unset"])
    expect(JSON.parse(stored(bench))).toEqual({ newer: { a: 1 }, pager: "never" })
  })

  test("an unknown key or value is refused with the possible ones", async () => {
    const bench = new Bench()
    expect((await bench.run(["config", "colr", "--json"])).error()).toEqual({
      code: "not-found",
      message: 'There is no key "colr".',
      hint: "Possible: durability, files, mode, sandbox, sandbox.network and 14 more.",
      advice: ["Possible: durability, files, mode, sandbox, sandbox.network and 14 more."],
    })
    expect((await bench.run(["config", "files", "maybe", "--json"])).error().hint).toBe("Use one of: keep, restore.")
    expect(existsSync(join(bench.home, "config.json"))).toBe(false)
    expect((await bench.run(["config", "--unset"])).exit).toBe(2)
  })

  test("a file that is not JSON is never overwritten", async () => {
    const bench = new Bench()
    await bench.run(["config", "pager", "never"])
    writeFileSync(join(bench.home, "config.json"), "{ broken")
    expect((await bench.run(["config", "pager", "auto", "--json"])).error().code).toBe("invalid")
    expect(stored(bench)).toBe("{ broken")
  })
})
