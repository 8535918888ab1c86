import { readFileSync } from "node:fs"
import { describe, expect, test, vi } from "vitest"
import { RetconError } from "../../src/model/failure/retcon-error.ts"
import { openSession } from "../../src/session/session.ts"
import {
  answer,
  callsDraft,
  checkpointDraft,
  lines,
  newSession,
  prompt,
  resultsDraft,
  STORES,
  stateDraft,
  told,
} from "./new-session.ts"

describe.each(STORES)("a split, in a %s store", (name) => {
  async function source() {
    const made = await newSession(name)
    const { session } = made
    await session.append([stateDraft("system", "Be kind."), prompt("p1"), checkpointDraft(session), answer("a1")])
    await session.append([prompt("p2"), stateDraft("todos", "one"), answer("a2")])
    await session.append([prompt("p3"), answer("a3")])
    return made
  }

  test("without an entry is the whole path, record for record, and the source is unchanged", async () => {
    const { session } = await source()
    const before = session.log.file === undefined ? lines(session) : readFileSync(session.log.file)
    const { session: split, prompt: text } = await session.split()
    expect([told(split), text]).toEqual([told(session), null])
    expect(lines(split).slice(1, -1)).toEqual(lines(session).slice(1))
    expect([...split.config()]).toEqual([["title", "p1 (split)"]])
    expect(split.context({ checkpoints: "shown" })).toEqual(session.context({ checkpoints: "shown" }))
    expect(session.log.file === undefined ? lines(session) : readFileSync(session.log.file)).toEqual(before)
    await split.close()
  })

  test("that fails leaves no session behind", async () => {
    const { session, store } = await source()
    const create = store.create.bind(store)
    vi.spyOn(store, "create").mockImplementationOnce(async (header) => {
      const log = await create(header)
      vi.spyOn(log, "copy").mockRejectedValueOnce(
        new RetconError({ code: "io", path: "x", problem: "the disk is full" }),
      )
      return log
    })
    await expect(session.split()).rejects.toThrow("the disk is full")
    expect((await store.list()).map(({ id }) => id)).toEqual([session.id])
  })

  test("at a prompt starts before it, with its text for the editor", async () => {
    const { session } = await source()
    const { session: split, prompt: text } = await session.split("@2")
    expect(told(split)).toBe("state > p1 > checkpoint 0 > a1")
    expect(text).toMatchObject({ text: "p2" })
    expect([split.state("todos"), split.nextCheckpoint()]).toEqual([undefined, 1])
    await split.close()
  })

  test("at the first prompt has only what precedes it", async () => {
    const { session } = await source()
    const { session: split } = await session.split("@1")
    expect(split.context()).toEqual([{ role: "system", content: [{ type: "text", text: "Be kind." }] }])
    await split.close()
  })

  test("at a head that is a prompt is the whole path nevertheless", async () => {
    const { session } = await source()
    await session.append(prompt("p4"))
    const { session: split } = await session.split()
    expect(told(split)).toBe(told(session))
    await split.close()
  })

  test("at a number counts the prompts of this path, also after an undo", async () => {
    const { session } = await source()
    await session.undo()
    await session.append([prompt("p4"), answer("a4")])
    const { session: split, prompt: text } = await session.split("@3")
    expect([told(split), text?.text]).toEqual([told(session).replace(" > p4 > a4", ""), "p4"])
    await split.close()
  })

  test("copies the labels of its entries, and no others", async () => {
    const { session } = await source()
    const kept = await session.label("@1", "first")
    await session.label("@3", "end")
    const { session: split } = await session.split("@2")
    expect([...split.labels()]).toEqual([[kept, "first"]])
    await split.close()
  })

  test("copies the title, marked once however often it is split, and no consent", async () => {
    const { session } = await source()
    await session.configure("title", "Parser")
    await session.configure("mode", "auto")
    await session.configure("allow", ["bash"])
    const { session: split } = await session.split()
    const { session: again } = await split.split()
    expect([...split.config()]).toEqual([["title", "Parser (split)"]])
    expect([...again.config()]).toEqual([["title", "Parser (split)"]])
    await Promise.all([split.close(), again.close()])
  })

  test("says where it came from, and goes its own way", async () => {
    const { session, store, parts } = await source()
    const { session: split } = await session.split("@3")
    expect(split.log.header.from).toMatchObject({ session: session.id, as: "split" })
    await split.append([prompt("q3"), answer("b3")])
    expect(told(session).endsWith("a3")).toBe(true)
    await split.close()
    const reopened = await openSession(store, split.id, parts)
    expect(told(reopened).endsWith("q3 > b3")).toBe(true)
    await reopened.close()
  })

  test("with calls left open gives them a result, and keeps the results that came", async () => {
    const { session } = await source()
    await session.append([prompt("p4"), callsDraft("x", "y"), resultsDraft("x")])
    const { session: split } = await session.split()
    expect(JSON.stringify(split.context().slice(-2))).toMatch(/output of x.*interrupted/)
    await split.close()
  })

  test("of an empty session creates nothing", async () => {
    const { session, store } = await newSession(name)
    await expect(session.split()).rejects.toMatchObject({ code: "invalid" })
    expect(await store.list()).toHaveLength(1)
  })

  test("at an entry that does not exist creates nothing", async () => {
    const { session, store } = await source()
    await expect(session.split("@99")).rejects.toMatchObject({ code: "not-found" })
    expect(await store.list()).toHaveLength(1)
  })

  test("has every part that was too large for a line", async () => {
    const { session } = await source()
    const long = "x".repeat(100_000)
    await session.append([prompt(long), answer("seen")])
    const { session: split } = await session.split()
    expect(JSON.stringify(split.context())).toContain(long)
    await split.close()
  })

  test("does not see what was compacted away before it, and can go back beyond that", async () => {
    const { session } = await source()
    await session.compact({ summarise: () => "short" })
    const { session: split } = await session.split()
    expect(split.context()).toEqual(session.context())
    expect((await split.back({ rounds: 2 })).outcome).toBe("moved")
    expect(told(split)).toBe("state > p1 > checkpoint 0 > a1")
    await split.close()
  })
})
