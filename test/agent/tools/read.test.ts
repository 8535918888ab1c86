import { execFileSync } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { expect, test } from "vitest"
import { readTool } from "../../../src/agent/tools/read.ts"
import { runTool, seen, setting } from "../setting.ts"

const lines = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => `${from + i}\tline ${from + i}`).join("\n")
const file = (count: number) => Array.from({ length: count }, (_, i) => `line ${i + 1}\n`).join("")

test("lines are numbered, and part of a file can be requested", async () => {
  const at = setting({ a: file(5) })
  expect((await runTool(at, readTool, { path: "a" })).output).toBe(lines(1, 5))
  expect((await runTool(at, readTool, { path: "a", offset: 2, limit: 2 })).output).toBe(
    `${lines(2, 3)}\n(There is more: continue with offset 4.)`,
  )
  expect((await runTool(at, readTool, { path: "a", offset: 9 })).output).toBe(
    "(The file has 5 lines; there is no line 9.)",
  )
})

test("a long file ends with where to continue", async () => {
  const at = setting({ a: file(2500) })
  const { output } = await runTool(at, readTool, { path: "a" })
  expect(output).toBe(`${lines(1, 2000)}\n(There is more: continue with offset 2001.)`)
})

test("what does not fit into the output is not shown, and a line's end says so", async () => {
  const at = setting({ a: file(100) })
  const { output } = await runTool(at, readTool, { path: "a" }, { limit: 300 })
  expect(output).toMatch(/^1\tline 1\n/)
  expect(output).toMatch(/\n\d+\tline \d+\n\(There is more: continue with offset \d+\.\)$/)
  expect(output.length).toBeLessThan(300)
})

test("a long line is cut, and says how long it was", async () => {
  const at = setting({ a: `${"x".repeat(5000)}\nshort\n` })
  expect((await runTool(at, readTool, { path: "a" })).output).toBe(
    `1\t${"x".repeat(2000)} [cut: 5000 characters]\n2\tshort`,
  )
})

test("marks and line ends of other systems are not shown", async () => {
  const at = setting({ a: "\uFEFFone\r\ntwo\r\n" })
  expect((await runTool(at, readTool, { path: "a" })).output).toBe("1\tone\n2\ttwo")
})

test("an image is shown as an image, recognised by its bytes", async () => {
  const at = setting()
  const png = Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  )
  at.file("picture.txt", png)
  expect(await runTool(at, readTool, { path: "picture.txt" })).toEqual({
    output: `picture.txt: image/png, ${png.length} bytes`,
    media: [{ type: "image", mediaType: "image/png", data: png.toString("base64") }],
  })
})

test("binary files are refused, empty ones reported as empty, directories listed", async () => {
  const at = setting({ empty: "", "d/x": "", "d/e/y": "" })
  at.file("b", new Uint8Array([1, 0, 2]))
  expect(await runTool(at, readTool, { path: "b" })).toEqual({
    error: true,
    output: "b is binary (3 bytes). Look at it with Bash, if you must.",
  })
  expect((await runTool(at, readTool, { path: "empty" })).output).toBe("(The file is empty.)")
  expect((await runTool(at, readTool, { path: "d" })).output).toBe("d is a directory:\ne/\nx")
})

test("for a file that does not exist, the answer names similar ones", async () => {
  const at = setting({ "src/session.ts": "", "src/other.md": "" })
  expect(await runTool(at, readTool, { path: "src/sesion.ts" })).toEqual({
    error: true,
    output: "src/sesion.ts does not exist. That directory has: session.ts.",
  })
})

test("a pipe that nobody may ever write to does not block", async () => {
  const at = setting()
  execFileSync("mkfifo", [at.file("pipe")])
  expect(await runTool(at, readTool, { path: "pipe" })).toEqual({ error: true, output: "pipe is not a regular file." })
})

test("a text that is not UTF-8 is shown with a warning", async () => {
  const at = setting()
  at.file("latin", Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x0a]))
  expect((await runTool(at, readTool, { path: "latin" })).output).toContain("(Not UTF-8:")
})

test("a file read again unchanged is not repeated while the model can see it", async () => {
  const at = setting({ a: "one\n", b: "one\n" })
  const first = { name: "Read", input: { path: "a" }, output: "1\tone" }
  const unchanged = "(The file has not changed since you read it with this same call, above.)"
  const read = async (input: { path: string; offset?: number }, ...calls: Parameters<typeof seen>) =>
    (await runTool(at, readTool, input, { messages: seen(...calls) })).output
  expect(await read({ path: "a" }, first)).toBe(unchanged)
  expect(await read({ path: "./a" }, first, { ...first, output: unchanged })).toBe(unchanged)
  // Not what it can no longer see, as after a rewind or a compaction; not another file, part or content.
  expect(await read({ path: "a" })).toBe("1\tone")
  expect(await read({ path: "b" }, first)).toBe("1\tone")
  writeFileSync(at.file("a"), "two\n")
  expect(await read({ path: "a" }, first)).toBe("1\ttwo")
})

test("a folder that is a link is followed", async () => {
  const at = setting({ "real/x": "x\n" })
  execFileSync("ln", ["-s", "real", at.file("link")])
  mkdirSync(at.file("other"))
  expect((await runTool(at, readTool, { path: "link/x" })).output).toBe("1\tx")
})

test("a folder's own instructions come with the first file read there, and again only once they change or are forgotten", async () => {
  const at = setting({ "AGENTS.md": "root", "api/AGENTS.md": "Use tabs.", "api/a.ts": "1\n", "api/b.ts": "2\n" })
  const note = "\n\nThe project's instructions for this folder, from api/AGENTS.md:\nUse tabs."
  const read = async (path: string, ...calls: Parameters<typeof seen>) =>
    (await runTool(at, readTool, { path }, { messages: seen(...calls) })).output
  const first = { name: "Read", input: { path: "api/a.ts" }, output: await read("api/a.ts") }
  expect(first.output).toBe(`1\t1${note}`)
  expect(await read("api/b.ts", first)).toBe("1\t2")
  expect(await read("api/a.ts", first)).toMatch(/^\(The file has not changed/)
  at.file("api/AGENTS.md", "Use blanks.")
  expect(await read("api/b.ts", first)).toContain("Use blanks.")
  expect(await read("AGENTS.md")).toBe("1\troot")
})
