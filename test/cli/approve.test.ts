// One prompt without a screen, with the practice model.
import { existsSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { Bench } from "./bench.ts"

const CREATE = ["run", "--model", "practice", "create hello.txt with hello"]

test("at a terminal the person is asked what a tool may do, with what it would do", async () => {
  const bench = new Bench()
  const { exit, err } = await bench.run(CREATE, { answer: "y" })
  expect(exit).toBe(0)
  expect(bench.asked).toEqual(["Allow it? y: once, a/t: as above, n: no: "])
  expect(err).toContain("  a: allow changes to hello.txt, for this session\n")
  expect(err).toMatch(/\n\? .*hello\.txt.*\n(.*\n)* {2}\+hello\n/)
  expect(existsSync(join(bench.cwd, "hello.txt"))).toBe(true)
})

test("a log that says yolo makes run -c write nothing unasked, and says why", async () => {
  const bench = new Bench()
  const session = await bench.open(await bench.session(1))
  await session.configure("mode", "yolo")
  await session.close()
  const { err } = await bench.run(["run", "-c", "--model", "practice", "create hello.txt with hello"], { answer: "n" })
  expect(bench.asked.length).toBeGreaterThan(0)
  expect(err).toContain("Not in force here: mode yolo.")
  expect(existsSync(join(bench.cwd, "hello.txt"))).toBe(false)
})

test.each(["n", "", "yes please"])("%j at a terminal refuses", async (answer) => {
  const bench = new Bench()
  await bench.run(CREATE, { answer })
  expect(bench.asked.length).toBeGreaterThan(0)
  expect(existsSync(join(bench.cwd, "hello.txt"))).toBe(false)
})

/** The conversation, with what the agent was told of its call. */
async function told(bench: Bench): Promise<string> {
  return (await bench.run(["export"])).out
}

test.each([
  ["n", "The person refused this call; it was not made.\n"],
  ["", "The person refused this call; it was not made.\n"],
  ["no, use hello.md", "The person refused this call; it was not made. They say: use hello.md\n"],
  ["use hello.md", "The person refused this call; it was not made. They say: use hello.md\n"],
])("%j reaches the agent as it was meant", async (answer, words) => {
  const bench = new Bench()
  await bench.run(CREATE, { answer })
  expect(await told(bench)).toContain(words)
})

test("a yes with more to it is asked about once more, and then counts as a no", async () => {
  const bench = new Bench()
  const { err } = await bench.run(CREATE, { answer: "y please" })
  expect(err).toContain("That is neither yes nor no, so nothing is allowed yet.\n")
  expect(bench.asked.length).toBe(2)
  expect(await told(bench)).toContain("The person refused this call; it was not made.\n")
  expect(existsSync(join(bench.cwd, "hello.txt"))).toBe(false)
})

test("where nobody was asked, the agent is not told that a person refused", async () => {
  const bench = new Bench()
  await bench.run(CREATE)
  expect(await told(bench)).toContain("This call was not made. There is nobody to allow it (Write hello.txt).")
  expect(await told(bench)).not.toContain("The person refused")
})

test("without a terminal nobody is asked, and what is not allowed is refused", async () => {
  const bench = new Bench()
  await bench.run(CREATE)
  await bench.run([...CREATE, "--json"], { answer: "y" })
  expect(bench.asked).toEqual([])
  expect(existsSync(join(bench.cwd, "hello.txt"))).toBe(false)
})

test("a long command is shown whole: to its end, with every space and every control character", async () => {
  const bench = new Bench()
  const command = `echo 'a    b' ${"x".repeat(150)}     ; touch hidden`
  const { err } = await bench.run(["run", "--model", "practice", `run "${command}"`], { answer: "n", width: 50 })
  const shown = err.split("\n").flatMap((line) => (/^(?: {2}|↳ )/.test(line) ? [line.slice(2)] : []))
  expect(shown.join("")).toContain(`$ ${command}`)
  expect(err).toContain(
    "  a: allow exactly this command, for this session\n  w: allow every `echo …` and `touch …` (changes",
  )
  expect(err).toContain("  t: allow every command, whatever it does, for this session")
})

test("what is longer than the screen is paged to its end before y is an answer", async () => {
  const bench = new Bench()
  const command = Array.from({ length: 60 }, (_, i) => `true ${i}`).join("; ")
  const { err } = await bench.run(["run", "--model", "practice", `run "${command}; touch last"`], {
    answer: "y",
    width: 30,
  })
  expect(bench.asked[0]).toMatch(/^Lines 1–\d+ of \d+\. Enter shows more, n refuses: $/)
  expect(bench.asked.at(-1)).toContain("Allow it?")
  expect(
    err
      .split("\n")
      .map((line) => line.slice(2))
      .join(""),
  ).toContain("touch last")
  expect(existsSync(join(bench.cwd, "last"))).toBe(true)
  const refused = new Bench()
  await refused.run(["run", "--model", "practice", `run "${command}; touch last"`], { answer: "n", width: 30 })
  expect(refused.asked).toHaveLength(1)
})

test("restore of a path that no snapshot knows says so", async () => {
  const bench = new Bench()
  await bench.run(CREATE, { answer: "y" })
  const { exit, err } = await bench.run(["restore", "@1", "nofile"])
  expect([exit, err]).toEqual([1, expect.stringContaining('There is no file "nofile".')])
  expect((await bench.run(["diff", "@1", "--stat"])).out).toContain("1 file differs.")
})
