// Small things a person meets: unknown help, narrow screens, empty prompts.
import { expect, test } from "vitest"
import { widthOf } from "../../src/model/text/sanitise.ts"
import { promptDraft } from "../../src/session/state/draft.ts"
import { Bench } from "./bench.ts"

test.each([[["help", "bakc"]], [["bakc", "--help"]], [["bakc", "-h"]]])("%j is a usage error", async (words) => {
  const { exit, out, err } = await new Bench().run(words)
  expect({ exit, out }).toEqual({ exit: 2, out: "" })
  expect(err).toContain("Did you mean back?")
})

test.each([[["help", "nosuch"]], [["nosuch"]]])("%j lists the existing commands", async (words) => {
  const { exit, err } = await new Bench().run(words)
  expect(exit).toBe(2)
  expect(err).toMatch(/Commands: tui, run, .*\bback, .*\. See: retcon --help/)
  expect(err).not.toContain("complete,")
})

test.each([[["help"]], [["help", "back"]], [["back", "--help"]], [["--help"]]])("%j is help", async (words) => {
  const { exit, out } = await new Bench().run(words)
  expect(exit).toBe(0)
  expect(out).toContain("Usage: retcon")
})

test("at 40 columns nothing overflows and no hint is cut", async () => {
  const bench = new Bench()
  await bench.session(2)
  await bench.run(["back"])
  const ops = await bench.run(["ops"], { width: 40 })
  for (const line of ops.out.split("\n")) expect(widthOf(line)).toBeLessThanOrEqual(40)
  expect(ops.out).toContain("← undo")
  const found = await bench.run(["search", "answer 2"], { width: 40 })
  expect(found.out.replace(/\s+/g, " ")).toMatch(/Go there with: retcon goto \w+ -s \w+ /)
  const none = await bench.run(["search", "nowhere at all to be found"], { width: 40 })
  expect(none.err.replace(/\s+/g, " ")).toContain("Search all directories with: --all")
})

test("an empty prompt is shown, and no model gets a message without content", async () => {
  const bench = new Bench()
  bench.file("chat.json", '[{"role":"user","content":[]},{"role":"assistant","content":"hm?"}]')
  expect((await bench.run(["import", "chat.json"])).exit).toBe(0)
  expect((await bench.run(["show"])).out).toMatch(/@1 you.*\n\(empty\)\n/)
  expect((await bench.run(["show", "--context", "--json"])).json()).toEqual([
    { role: "assistant", content: [{ type: "text", text: "hm?" }] },
  ])
})

test.each([["--help"], ["back --help"], ["help goto"]])("%s is as wide as the configured screen", async (words) => {
  const { out } = await new Bench().run(words.split(" "), { width: 60 })
  for (const line of out.split("\n")) expect(widthOf(line)).toBeLessThanOrEqual(60)
})

test("on a narrow screen a list shows titles before it shows amounts", async () => {
  const bench = new Bench()
  const session = await bench.open(await bench.session(2))
  await session.configure("title", "a title of some length")
  await session.back()
  await session.append(promptDraft("another way"))
  await session.close()
  expect((await bench.run(["ls"])).out).toContain("2 prompts, 2 branches")
  const { out } = await bench.run(["ls"], { width: 40 })
  for (const line of out.split("\n")) expect(widthOf(line)).toBeLessThanOrEqual(40)
  expect(out).toContain("a title of")
})
