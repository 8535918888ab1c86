import { chmodSync, lstatSync, readFileSync, statSync, symlinkSync } from "node:fs"
import { expect, test } from "vitest"
import { editTool } from "../../../src/agent/tools/edit.ts"
import { writeTool } from "../../../src/agent/tools/write.ts"
import { runTool, setting } from "../setting.ts"

const text = "function one() {\n  return 1\n}\n\nfunction two() {\n  return 2\n}\n"

async function edited(before: string, input: { old: string; new: string; all?: boolean }) {
  const at = setting({ f: before })
  const result = await runTool(at, editTool, { path: "f", ...input })
  return { output: result.output, error: result.error === true, after: readFileSync(at.file("f"), "utf8") }
}

test("what occurs once is replaced, and nothing else", async () => {
  const { after, output } = await edited(text, { old: "return 2", new: "return $& two" })
  expect(after).toBe(text.replace("return 2", () => "return $& two"))
  expect(output).toBe("Changed f (line 6).")
})

test("what occurs twice is refused with the lines, unless all are meant", async () => {
  const refused = await edited(text, { old: "return", new: "give" })
  expect(refused).toEqual({
    error: true,
    after: text,
    output: "f: `old` occurs 2 times (lines 2, 6). Give more lines around the one you mean, or set all.",
  })
  expect((await edited(text, { old: "return", new: "give", all: true })).after).toBe(text.replaceAll("return", "give"))
})

test.each([
  [
    "white space",
    "function two() {\n    return 2\n}",
    "only white space differs, at line 5:\nfunction two() {\n  return 2\n}",
  ],
  ["a letter", "function tvo() {\n  return 2", "the nearest is, at line 5:\nfunction two() {\n  return 2"],
  ["line numbers", "5\tfunction two() {\n6\t  return 2", "begins with line numbers from Read"],
  ["everything", "class Nothing extends Everything", "nor anything like it"],
  ["nothing", "", "`old` is empty"],
])("for text that does not occur, the answer shows what is there: %s", async (_, old, words) => {
  const { output, error, after } = await edited(text, { old, new: "x" })
  expect([error, after]).toEqual([true, text])
  expect(output).toContain(words)
})

test("line endings of other systems, and a byte order mark, stay", async () => {
  const { after } = await edited("\uFEFFone\r\ntwo\r\nthree\r\n", { old: "one\ntwo", new: "1\n2" })
  expect(after).toBe("\uFEFF1\r\n2\r\nthree\r\n")
})

test("a file that is not UTF-8 is not touched", async () => {
  const at = setting()
  const bytes = Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x0a])
  at.file("latin", bytes)
  expect((await runTool(at, editTool, { path: "latin", old: "caf", new: "x" })).error).toBe(true)
  expect(readFileSync(at.file("latin")).equals(bytes)).toBe(true)
})

test("links stay links, and modes stay, when a file is written", async () => {
  const at = setting({ real: "a\n" })
  chmodSync(at.file("real"), 0o750)
  symlinkSync("real", at.file("link"))
  await runTool(at, writeTool, { path: "link", content: "b\n" })
  expect(lstatSync(at.file("link")).isSymbolicLink()).toBe(true)
  expect(readFileSync(at.file("real"), "utf8")).toBe("b\n")
  expect(statSync(at.file("real")).mode & 0o777).toBe(0o750)
})

test("what is approved is what is written: a file that changed meanwhile is left alone", async () => {
  const at = setting({ f: text })
  const { basis } = await writeTool.preview({ path: "f", content: "new\n" }, at.root)
  at.file("f", "the person's own\n")
  const result = await runTool(at, writeTool, { path: "f", content: "new\n" }, { basis: basis as string })
  expect(result).toEqual({
    error: true,
    output: "f changed on disk after this change was approved, so nothing was written. Read it again.",
  })
  expect(readFileSync(at.file("f"), "utf8")).toBe("the person's own\n")
})

test("a file cannot take the place of a folder", async () => {
  const at = setting({ "d/x": "kept" })
  expect((await runTool(at, writeTool, { path: "d", content: "" })).error).toBe(true)
  await expect(runTool(at, writeTool, { path: "d/x/y", content: "" })).rejects.toThrow(at.file("d/x"))
  expect(readFileSync(at.file("d/x"), "utf8")).toBe("kept")
})
