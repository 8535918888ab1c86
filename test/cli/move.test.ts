import { readFileSync, writeFileSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { shortId } from "../../src/model/id.ts"
import { createSession, type Session } from "../../src/session/session.ts"
import { answerDraft, promptDraft } from "../../src/session/state/draft.ts"
import { Bench } from "./bench.ts"

const bytesOf = (session: Session) => readFileSync(session.log.file ?? "", "utf8")

describe("back", () => {
  test("reports what was left, where we are, the prompt given back, and how to undo it", async () => {
    const bench = new Bench()
    const session = await bench.session(2)
    const { exit, out, err } = await bench.run(["back"])
    const head = (await bench.open(session)).head ?? ""
    expect({ exit, out, err }).toEqual({
      exit: 0,
      err: "",
      out: `Went back 1 round. 2 messages left behind, nothing is lost.
Now at ${shortId(head)}, agent: answer 1

Your prompt, to edit and send again:

  ask 2

Take this back with: retcon undo
`,
    })
  })

  test.each([
    ["is cut off at its end", '"answer 2"}]}', '"answer 2"}]!'],
    ["is no message any more", '[{"type":"text","text":"answer 2"}]', "7".padEnd(35)],
  ])("to an entry whose line %s says so, and shows no other's text for it", async (_, sound, broken) => {
    const bench = new Bench()
    const session = await bench.session(3)
    const damaged = session.history.id(session.history.parent(session.history.rowOf(session.resolve("@3"))))
    writeFileSync(session.log.file ?? "", bytesOf(session).replace(sound, broken))
    const { exit, out } = await bench.run(["back"])
    expect([exit, bytesOf(session)]).toEqual([0, expect.stringContaining(broken)])
    expect(out).toContain(`\nNow at ${shortId(damaged)}, which cannot be read. See: retcon doctor\n`)
    expect(out).not.toContain("answer 1")
  })

  test("prints the promised JSON", async () => {
    const bench = new Bench()
    const session = await bench.session(3)
    const ran = await bench.run(["back", "2", "--json"])
    const open = await bench.open(session)
    expect(ran.json()).toMatchObject({
      head: open.head,
      left: 4,
      prompt: { id: session.resolve("@2"), text: "ask 2" },
      files: [],
      session: session.id,
      dryRun: false,
    })
  })

  test("a dry run reports the same plan and its cost, and writes nothing", async () => {
    const bench = new Bench()
    const session = await bench.session(3)
    const before = bytesOf(session)
    const { out } = await bench.run(["back", "--dry-run"])
    expect(out).toContain("Would go back 1 round. 2 messages left behind, nothing is lost.")
    expect(out).toMatch(
      /The prompt cache keeps 4 messages \(about \d+ tokens\)\.\nAbout 0 tokens would be sent again\./,
    )
    expect(out).not.toContain("retcon undo")
    const planned = (await bench.run(["back", "--dry-run", "--json"])).json() as Record<string, unknown>
    expect(planned).toMatchObject({ dryRun: true, left: 2, cost: { cached: 4, againTokens: 0 } })
    expect(bytesOf(session)).toBe(before)
    const done = (await bench.run(["back", "--json"])).json() as Record<string, unknown>
    for (const field of ["head", "left", "prompt", "files"]) expect(done[field]).toEqual(planned[field])
  })

  test("is refused in the first round, with the way to start over", async () => {
    const bench = new Bench()
    const session = await bench.session(1)
    const before = bytesOf(session)
    const { exit, out, err } = await bench.run(["back"])
    expect({ exit, out }).toEqual({ exit: 1, out: "" })
    expect(err).toBe(
      "retcon: This is the first round: there is nothing to go back to.\n" +
        "  To start over, go to the first prompt: retcon goto @1, with the files as they were: retcon goto @1 --files restore\n",
    )
    expect((await bench.run(["back", "--json"])).error().code).toBe("at-start")
    expect(bytesOf(session)).toBe(before)
  })

  test("in the empty conversation is refused with a way that exists", async () => {
    const bench = new Bench()
    await bench.session(1)
    await bench.run(["goto", "@1"])
    const { err } = await bench.run(["back"])
    expect(err).toMatch(/^retcon: The conversation is empty here\.\n {2}.*retcon undo.*retcon log --all\n$/)
  })

  test("says how many rounds there are when asked for more", async () => {
    const bench = new Bench()
    const session = await bench.session(3)
    const before = bytesOf(session)
    const { exit, err } = await bench.run(["back", "99"])
    expect(exit).toBe(1)
    expect(err).toContain("There are 2 rounds to go back, not 99.\n  Use a number from 1 to 2, or start over")
    expect((await bench.run(["back", "2", "-s", (await bench.session(2)).id])).err).toContain("Use 1, or start over")
    expect(bytesOf(session)).toBe(before)
  })

  for (const wrong of ["0", "-1", "1.5", "two", "", "1e3", "0x2", "99999999999999999999", "NaN"]) {
    test(`"${wrong}" rounds is a usage error that touches nothing`, async () => {
      const bench = new Bench()
      const session = await bench.session(3)
      const before = bytesOf(session)
      const { exit, out, err } = await bench.run(["back", wrong])
      expect({ exit, out }).toEqual({ exit: 2, out: "" })
      expect(err.split("\n")).toHaveLength(3)
      expect((await bench.run(["back", wrong, "--json"])).error().code).toBe("usage")
      expect(bytesOf(session)).toBe(before)
    })
  }
})

describe("goto", () => {
  test("a prompt means before it, with its text given back", async () => {
    const bench = new Bench()
    const session = await bench.session(3)
    const { out } = await bench.run(["goto", "@2"])
    expect(out).toContain(`Went to before prompt ${shortId(session.resolve("@2"))}. 4 messages left behind`)
    expect(out).toContain("agent: answer 1")
    expect(out).toContain("  ask 2\n")
  })

  test("@1 starts over, also with a system prompt, and undo brings all back", async () => {
    const bench = new Bench()
    const session = await bench.session(2)
    const { exit, out } = await bench.run(["goto", "@1"])
    expect(exit).toBe(0)
    expect(out).toContain("Now at the start: the conversation is empty.")
    expect((await bench.open(session)).head).toBeNull()
    const undone = await bench.run(["undo"])
    expect(undone.out).toContain("Undid the last goto. 4 messages came back.")
    expect((await bench.open(session)).head).toBe(session.head)
  })

  test("start is the empty conversation, and no label is called so", async () => {
    const bench = new Bench()
    await bench.session(2)
    expect((await bench.run(["label", "head~1", "start", "--json"])).error().code).toBe("invalid")
    expect((await bench.run(["goto", "start", "--dry-run", "--json"])).json()).toMatchObject({ head: null, left: 4 })
  })

  test("where we are already changes nothing and says so", async () => {
    const bench = new Bench()
    const session = await bench.session(2)
    const before = bytesOf(session)
    expect((await bench.run(["goto", "head"])).out).toContain("You are there already. Nothing was changed.")
    expect(bytesOf(session)).toBe(before)
  })

  test("an entry that does not exist is refused", async () => {
    const bench = new Bench()
    await bench.session(2)
    expect((await bench.run(["goto", "abcdef", "--json"])).error()).toMatchObject({ code: "not-found" })
    expect((await bench.run(["goto", "@9"])).err).toContain("Possible: @1, @2.")
    await bench.run(["back"])
    expect((await bench.run(["goto", "@9"])).err).toContain("Possible: @1.")
  })

  test("without an entry it is a usage error", async () => {
    const { exit, err } = await new Bench().run(["goto"])
    expect(exit).toBe(2)
    expect(err).toBe("retcon: Missing required argument 'entry'\n  See: retcon goto --help\n")
  })
})

describe("undo and redo", () => {
  test("walk back and forth, as in an editor, over several calls", async () => {
    const bench = new Bench()
    const session = await bench.session(3)
    await bench.run(["back"])
    await bench.run(["back"])
    expect((await bench.run(["undo"])).out).toContain("Undid the last back. 2 messages came back.")
    await bench.run(["undo"])
    expect((await bench.open(session)).head).toBe(session.head)
    expect((await bench.run(["redo"])).out).toContain("Redid the last back. 2 messages left behind")
    expect((await bench.open(session)).head).toBe(session.resolve("head~1"))
  })

  test("undo of a round gives its prompt back", async () => {
    const bench = new Bench()
    await bench.session(2)
    const { out } = await bench.run(["undo"])
    expect(out).toContain("Undid the last round. 2 messages left behind")
    expect(out).toContain("  ask 2\n")
    expect(out).toContain("Take this back with: retcon redo")
  })

  test("take a number of steps, each shown, and the way back takes all of them back", async () => {
    const bench = new Bench()
    const session = await bench.session(3)
    await bench.run(["back"])
    const { out } = await bench.run(["undo", "2"])
    expect(out).toMatch(
      /^Undid the last back\..*\nTake this back with: retcon redo\n\nUndid the last round\..*\nTake this back with: retcon redo 2\n$/s,
    )
    expect((await bench.open(session)).head).toBe(session.resolve("head~1"))
    const redone = (await bench.run(["redo", "2", "--json"])).out.trimEnd().split("\n")
    expect(redone.map((line) => JSON.parse(line))).toMatchObject([{ kind: "redo" }, { kind: "redo" }])
    expect((await bench.open(session)).head).toBe(session.resolve("head~1"))
  })

  test("stop at the first step that is refused; what was done before stays, and is shown", async () => {
    const bench = new Bench()
    const session = await bench.session(2)
    const { exit, out, err } = await bench.run(["undo", "3", "--json"])
    expect([exit, out.trimEnd().split("\n").length, JSON.parse(err).error.code]).toEqual([1, 2, "nothing-to-undo"])
    expect((await bench.open(session)).head).toBe(null)
    expect((await bench.run(["redo", "3"])).out).toMatch(/\nTake this back with: retcon undo 2\n$/)
  })

  test("a number of steps has no dry run, because each step builds on the one before", async () => {
    const bench = new Bench()
    const session = await bench.session(2)
    const before = bytesOf(session)
    expect(await bench.run(["undo", "2", "--dry-run"])).toMatchObject({
      exit: 2,
      err: expect.stringContaining("one step"),
    })
    expect(await bench.run(["undo", "0"])).toMatchObject({ exit: 2 })
    expect(bytesOf(session)).toBe(before)
  })

  test("are refused when there is nothing to do", async () => {
    const bench = new Bench()
    await bench.session(1)
    expect((await bench.run(["redo", "--json"])).error().code).toBe("nothing-to-redo")
    await bench.run(["undo"])
    expect((await bench.run(["undo", "--json"])).error().code).toBe("nothing-to-undo")
  })
})

describe("every move", () => {
  const moves = [["back"], ["goto", "@1"], ["undo"], ["redo"]]

  for (const move of moves) {
    test(`${move.join(" ")} says before anything is written that a session has no snapshots of files`, async () => {
      const bench = new Bench()
      const session = await bench.session(3)
      if (move[0] === "redo") await bench.run(["undo"])
      const before = bytesOf(session)
      const { exit, err } = await bench.run([...move, "--files", "restore", "--json"])
      expect(exit).toBe(1)
      expect(JSON.parse(err)).toMatchObject({ error: { code: "no-workspace" } })
      expect(bytesOf(session)).toBe(before)
      expect((await bench.run(move, { settings: { files: "restore" } })).exit).toBe(0)
    })

    test(`${move.join(" ")} is refused while a turn runs elsewhere`, async () => {
      const bench = new Bench()
      const session = await bench.session(2)
      const other = await bench.open(session)
      const turn = await other.beginTurn()
      const before = bytesOf(session)
      expect((await bench.run([...move, "--json"])).error().code).toBe("session-busy")
      expect(bytesOf(session)).toBe(before)
      await turn.end()
      await other.close()
    })
  }

  test("what a session says cannot steer the terminal", async () => {
    const bench = new Bench()
    const { store, sessionOptions, made } = bench.cli()
    const session = await createSession(store, { cwd: bench.cwd, made }, sessionOptions)
    const evil = "\u001b]0;owned\u0007\u001b[2Jhi\u009b31m\u202eabc\rline"
    await session.append([promptDraft(evil), answerDraft(evil), promptDraft(evil), answerDraft(evil)])
    await session.close()
    const { out } = await bench.run(["back"])
    expect(out).toContain("hiabc\n  line\n")
    expect(out).not.toMatch(/[^\P{Cc}\n]|\u202e/u)
    const json = (await bench.run(["undo", "--json"])).out
    expect(json).not.toMatch(/[^\P{Cc}\n]|\u202e/u)
  })
})
