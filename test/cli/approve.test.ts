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
  expect(err).toContain("  a: allow changes of hello.txt, for this session\n")
  expect(err).toMatch(/\n\? .*hello\.txt.*\n(.*\n)* {2}\+hello\n/)
  expect(existsSync(join(bench.cwd, "hello.txt"))).toBe(true)
})

test.each(["n", "", "yes please"])("%j at a terminal refuses", async (answer) => {
  const bench = new Bench()
  await bench.run(CREATE, { answer })
  expect(bench.asked.length).toBeGreaterThan(0)
  expect(existsSync(join(bench.cwd, "hello.txt"))).toBe(false)
})

test("without a terminal nobody is asked, and what is not allowed is refused", async () => {
  const bench = new Bench()
  await bench.run(CREATE)
  await bench.run([...CREATE, "--json"], { answer: "y" })
  expect(bench.asked).toEqual([])
  expect(existsSync(join(bench.cwd, "hello.txt"))).toBe(false)
})

test("restore of a path that does not differ says so", async () => {
  const bench = new Bench()
  await bench.run(CREATE, { answer: "y" })
  const { out } = await bench.run(["restore", "@1", "nofile"])
  expect(out).toContain("No file at nofile differs from @1. Nothing was changed.")
  expect((await bench.run(["diff", "@1", "--stat"])).out).toContain("1 file differs.")
})
