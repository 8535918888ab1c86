// Sessions that are there and cannot be opened are never passed over in silence.
import { readFileSync, writeFileSync } from "node:fs"
import { expect, test } from "vitest"
import { Bench } from "./bench.ts"

async function broken(rounds: number, how: (line: string) => string) {
  const bench = new Bench()
  const session = await bench.session(rounds)
  const file = session.log.file ?? ""
  writeFileSync(file, how(readFileSync(file, "utf8")))
  return { bench, session }
}

const newer = (text: string) => text.replace(/"reads":\d+/, '"reads":99')

test("ls says how many cannot be opened, and where to look", async () => {
  const { bench } = await broken(1, () => "")
  const { exit, out } = await bench.run(["ls"])
  expect(exit).toBe(0)
  expect(out).not.toContain("There is no session in this directory")
  expect(out).toContain("1 session cannot be opened. See why with: retcon doctor\n")
  expect((await bench.run(["ls", "--all"])).out).toContain(
    "1 session cannot be opened. See why with: retcon doctor --all",
  )
  await bench.session(1)
  expect((await bench.run(["ls"])).out).toMatch(/ask 1.*\n1 session cannot be opened/)
})

test("a command without -s points to doctor when the only session cannot be opened", async () => {
  const { bench } = await broken(1, () => "")
  const { code, message, hint } = (await bench.run(["log", "--json"])).error()
  expect({ code, hint }).toEqual({ code: "no-session", hint: "See why with: retcon doctor" })
  expect(message).toContain("one cannot be opened")
})

test("a session of a newer format is called that", async () => {
  const { bench } = await broken(1, newer)
  for (const command of ["log", "show", "back"]) {
    expect((await bench.run([command, "--json"])).error().code).toBe("format-newer")
  }
  expect((await bench.run(["ls"])).out).toContain("1 session cannot be opened")
})
