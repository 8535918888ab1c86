// The pager is a real process that writes to a file, because a test has no terminal.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { makeStage, round } from "./stage.ts"

async function longStage() {
  const stage = makeStage()
  const session = await stage.session()
  for (let i = 1; i <= 40; i++) await round(session, `prompt ${i}`)
  await session.close()
  return stage
}

const terminal = { terminal: true, env: { RETCON_NO_PAGER: "", PATH: process.env.PATH ?? "" } }

test("long output on a terminal goes through PAGER, whole", async () => {
  const stage = await longStage()
  const file = join(stage.home, "paged")
  const paged = await stage.retcon("show", { ...terminal, env: { ...terminal.env, PAGER: `cat > '${file}'` } })
  expect(paged).toEqual({ out: "", err: "", exit: 0 })
  const plain = await stage.retcon("show", { terminal: true })
  expect(readFileSync(file, "utf8")).toBe(plain.out)
})

test("a pager that is closed early ends the command without an error", async () => {
  const stage = await longStage()
  const file = join(stage.home, "paged")
  const env = { ...terminal.env, PAGER: `head -2 > '${file}'` }
  expect(await stage.retcon("show", { terminal: true, env })).toEqual({ out: "", err: "", exit: 0 })
  expect(readFileSync(file, "utf8").split("\n")[0]).toContain("prompt 1 · session")
})

test("without such a pager the output is plain, and whole", async () => {
  const stage = await longStage()
  const env = { ...terminal.env, PAGER: "no-such-pager-here 2>/dev/null" }
  const plain = await stage.retcon("show", { terminal: true })
  expect((await stage.retcon("show", { terminal: true, env })).out).toBe(plain.out)
})

test("short output stays on the screen; cat, nothing and a pipe page nothing", async () => {
  const stage = await longStage()
  const env = { ...terminal.env, PAGER: "exit 3;" }
  const short = await stage.retcon("log --limit 3", { terminal: true, env })
  expect(short.out.split("\n").length).toBeLessThan(10)
  for (const PAGER of ["cat", "", " "]) {
    const { out } = await stage.retcon("log", { terminal: true, env: { ...env, PAGER } })
    expect(out.split("\n").length).toBeGreaterThan(40)
  }
  expect((await stage.retcon("log", { env })).out.split("\n").length).toBeGreaterThan(40)
})
