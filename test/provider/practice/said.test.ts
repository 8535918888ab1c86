// What the practice model says before each step and at the end of a turn, word for word.
import { expect, test } from "vitest"
import { ANNOUNCEMENT } from "../../../src/provider/practice/words.ts"
import { Talk, textOf } from "./talk.ts"

const FILES = {
  "a.txt": "one\ntwo",
  "src/b.ts": "\n  1\tconst port = 4711\nport\nPort\nport again",
  "c.png": "x",
  "node_modules/d.js": "x",
  "empty.txt": "",
}
const READS = "I read 3 files: a.txt, src/b.ts, empty.txt."
const ENDS = "Nothing was changed; they need not be read again."

/** In a conversation in which it has said already who it is. */
async function turn(prompt: string, files: Record<string, string> = FILES, tools?: string[]) {
  const talk = new Talk(files, tools)
  talk.messages.push(
    { role: "user", content: [{ type: "text", text: "hi" }] },
    { role: "assistant", content: [{ type: "text", text: ANNOUNCEMENT }] },
  )
  await talk.prompt(prompt)
  const said = talk.messages.slice(2).flatMap(({ role, content }) => (role === "assistant" ? [textOf(content)] : []))
  return { said, calls: talk.calls }
}

const last = async (...wanted: Parameters<typeof turn>) => (await turn(...wanted)).said.at(-1)

test.each<[prompt: string, ...said: string[]]>([
  ["read a.txt", "Reading a.txt.", "Read a.txt:\none\ntwo"],
  ["read a.txt, empty.txt", "Reading a.txt, empty.txt.", "Read a.txt:\none\ntwo\n\nRead empty.txt:\n"],
  ["delete a.txt", "Running: rm -- a.txt", "Deleted a.txt."],
  ["delete it's.txt", "Running: rm -- 'it'\\''s.txt'", "Deleted it's.txt."],
  ["search for port in src", "Searching for port.", "Grep src:\nok"],
  ["create new.txt with hi", "Writing new.txt.", "Created new.txt."],
  ["change x to y in a.txt", "Reading a.txt.", "Editing a.txt.", "Edit a.txt did not work: The text is not there."],
  ["change one to y in a.txt", "Reading a.txt.", "Editing a.txt.", 'Changed "one" to "y" in a.txt.'],
  ["call Nothing {}", "Calling Nothing.", "Nothing did not work: There is no tool Nothing."],
  ["run one, run two", "Running: one", "Running: two", "Bash one:\noutput of one\n\nBash two:\noutput of two"],
  ["delegate: one", "Giving this to a sub-agent.", "Task one:\ndid: one"],
  ["delegate: one\ndelegate: two", "Giving this to 2 sub-agents.", "Task one:\ndid: one\n\nTask two:\ndid: two"],
  [
    "plan: run ls, ship it",
    "Updating the todos.",
    "Running: ls",
    "Updating the todos.",
    "Bash ls:\noutput of ls\n\n- [x] run ls\n- [ ] ship it",
  ],
  ["count to 5", "1 2 3 4 5"],
  ["hello", "Hello. Ask me for `help` to see what I can do."],
  ["think about tea", "I thought about tea. That is all a few rules can do."],
  ["refactor, then say hi", "hi"],
  ["say one, then say two", "one\n\ntwo"],
  ["", "There is nothing to do. Ask me for `help`."],
])("%s", async (prompt, ...said) => {
  expect((await turn(prompt)).said).toEqual(said)
})

test("what it does not understand is quoted, up to 80 characters", async () => {
  const asked = (length: number) => last("r".repeat(length))
  expect(await asked(80)).toContain(`"${"r".repeat(80)}"`)
  expect(await asked(81)).toContain(`"${"r".repeat(79)}…"`)
})

test("of an output it shows 20 lines of 200 characters", async () => {
  const lines = (count: number, long: number) => [..."x".repeat(count - 1).split(""), "y".repeat(long)].join("\n")
  expect(await last("read a", { a: lines(20, 200) })).toBe(`Read a:\n${lines(20, 200)}`)
  expect(await last("read a", { a: `${lines(20, 201)}\n` })).toBe(`Read a:\n${lines(20, 199)}…`)
  expect(await last("read a", { a: lines(21, 1) })).toBe(`Read a:\n${"x\n".repeat(20)}… 1 more lines`)
})

test.each([
  [
    "explore",
    `${READS}\nHow they begin:\n- a.txt: one\n- src/b.ts: 1\tconst port = 4711\n- empty.txt: (empty)\n${ENDS}`,
  ],
  ["explore for nothing", `${READS}\nLines with "nothing": none.\n${ENDS}`],
  [
    "explore for port",
    `${READS}\nLines with "port":\n- src/b.ts: 1\tconst port = 4711\n- src/b.ts: port\n- src/b.ts: Port\n${ENDS}`,
  ],
  ["explore 1 files for two", `I read 1 file: a.txt.\nLines with "two":\n- a.txt: two\n${ENDS}`],
])("%s comes back with a note of what was found", async (prompt, note) => {
  const { said, calls } = await turn(prompt)
  expect(said).toEqual([`I explored and went back. My note says:\n${note}`])
  expect(calls.at(-1)).toEqual({ name: "Backtrack", input: { checkpoint_id: 0, note } })
})

test("of many files it says how the first eight begin", async () => {
  const files = Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`f${n}`, `word ${n}`]))
  const told = await last("explore", files)
  expect(told).toContain("- f7: word 7")
  expect(told).not.toContain("- f8: word 8")
})

test("what a file begins with has 100 characters, a line that was found 200", async () => {
  const files = { a: `${"x".repeat(250)} port` }
  expect(await last("explore", files)).toContain(`- a: ${"x".repeat(100)}\n`)
  expect(await last("explore for port", files)).toContain(`- a: ${"x".repeat(200)}\n`)
})

test("it goes back to a checkpoint by its number, with the files if that was asked for", async () => {
  expect((await turn("backtrack to 3: note")).calls).toEqual([
    { name: "Backtrack", input: { checkpoint_id: 3, note: "note" } },
  ])
  expect((await turn("backtrack to 3 and restore files: note")).calls[0]?.input).toMatchObject({ restore_files: true })
})

test("the description of a task has six words and 60 characters", async () => {
  const described = async (task: string) => (await turn(`delegate: ${task}`)).calls[0]?.input.description
  expect(await described("1 2 3 4 5 6 7")).toBe("1 2 3 4 5 6")
  expect(await described("w".repeat(60))).toBe("w".repeat(60))
  expect(await described("w".repeat(61))).toBe(`${"w".repeat(59)}…`)
})

test.each([
  ["create a with b", "Write"],
  ["change a to b in c", "Read and Edit"],
  ["read a", "Read"],
  ["delete a", "Bash"],
  ["run a", "Bash"],
  ["find a", "Glob"],
  ["search for a", "Grep"],
  ["explore", "Glob and Read"],
  ["delegate: a", "Task"],
  ["plan: a", "Todo"],
  ["backtrack to 1: a", "Backtrack"],
])("%s needs tools, and says which were not given", async (prompt, tools) => {
  expect(await turn(prompt, FILES, [])).toEqual({
    said: [`I cannot do this here: I was not given ${tools}.`],
    calls: [],
  })
})
