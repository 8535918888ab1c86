// retcon --plain between pipes.
import { spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { expect, onTestFinished, test } from "vitest"

function plain(...words: string[]) {
  const folder = mkdtempSync(join(tmpdir(), "retcon-pipe-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const env = { PATH: process.env.PATH ?? "", HOME: folder, RETCON_HOME: join(folder, "home") }
  return spawn(process.execPath, [resolve("dist/cli.js"), "--plain", "--model", "practice", ...words], {
    cwd: folder,
    env,
  })
}

/** All lines are there from the start, as `printf … | retcon --plain` has it. */
async function piped(lines: readonly string[], ...words: string[]) {
  const child = plain(...words)
  child.stdin.end(lines.map((line) => `${line}\n`).join(""))
  let written = ""
  child.stdout.on("data", (chunk: Buffer) => (written += chunk.toString()))
  const code = await new Promise<number | null>((settle) => child.on("close", settle))
  return { written, code }
}

test("lines from a pipe are carried out one after the other", async () => {
  const { written, code } = await piped(["create a.txt with 1", "say two", "/back", "!cat a.txt"], "--mode", "yolo")
  expect(code).toBe(0)
  expect(written).toMatch(
    /Created a\.txt\.[\s\S]*\ntwo\n[\s\S]*Round 1 of 2[\s\S]*Your prompt was: say two\n[\s\S]*Result: 1\n/,
  )
})

test("a question takes its answer from the next line; at the end of the lines the turn is stopped", async () => {
  const { written, code } = await piped(["create a.txt with 1", "y", "create b.txt with 2"])
  expect(code).toBe(0)
  expect(written).toContain("Created a.txt.")
  expect(written).toContain("Question: Write b.txt")
  expect(written).not.toContain("Created b.txt.")
})

test("a closed pipe ends the program", async () => {
  const child = plain()
  await new Promise((settle) => child.stdout.once("data", settle))
  child.stdout.destroy()
  child.stdin.on("error", () => undefined)
  child.stdin.write("say hello\nsay again\n")
  const code = await new Promise<number | null>((settle) => child.on("exit", settle))
  expect(code).toBe(0)
})
