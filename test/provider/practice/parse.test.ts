import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { parseRequests } from "../../../src/provider/practice/parse.ts"
import { phraseOf } from "../../../src/provider/practice/practice.ts"
import type { Request } from "../../../src/provider/practice/request.ts"

const CASES: [prompt: string, ...requests: Request[]][] = [
  ["create a.txt with hi", { do: "create", path: "a.txt", content: "hi" }],
  [
    "Please create a new file called src/a.ts with the content: x = 1",
    { do: "create", path: "src/a.ts", content: "x = 1" },
  ],
  ["create a.txt with salt, pepper and oil", { do: "create", path: "a.txt", content: "salt, pepper and oil" }],
  ['create a.txt with "hi, then run ls"', { do: "create", path: "a.txt", content: "hi, then run ls" }],
  ['create a.txt with "one\\ntwo"', { do: "create", path: "a.txt", content: "one\ntwo" }],
  ["create a.md with\n```\n# A\nrun this\n```", { do: "create", path: "a.md", content: "# A\nrun this\n" }],
  ["create a.txt", { do: "create", path: "a.txt", content: "" }],
  ["write hello there to a.txt", { do: "create", path: "a.txt", content: "hello there" }],
  ["change A to B in f.txt.", { do: "change", path: "f.txt", old: "A", new: "B" }],
  ['replace "a to b" with "b in c" in f.txt', { do: "change", path: "f.txt", old: "a to b", new: "b in c" }],
  ["read a.txt, b.txt and c.txt", { do: "read", paths: ["a.txt", "b.txt", "c.txt"] }],
  ["read Makefile", { do: "read", paths: ["Makefile"] }],
  ['read "my file.txt"', { do: "read", paths: ["my file.txt"] }],
  ["read the poem about cats", { do: "unknown", text: "read the poem about cats" }],
  ["run npm test.", { do: "run", command: "npm test" }],
  ["run `ls | wc -l`", { do: "run", command: "ls | wc -l" }],
  ["run ls; echo done", { do: "run", command: "ls; echo done" }],
  ["run ls then run pwd", { do: "run", command: "ls" }, { do: "run", command: "pwd" }],
  ["delete a.txt", { do: "delete", path: "a.txt" }],
  ["list files", { do: "find", pattern: "**/*" }],
  ["find **/*.ts in src", { do: "find", pattern: "**/*.ts", path: "src" }],
  ["search for TODO in src", { do: "search", pattern: "TODO", path: "src" }],
  ["explore", { do: "explore", files: 16 }],
  ["explore 40 files in docs for the deadline", { do: "explore", files: 40, path: "docs", fact: "the deadline" }],
  ["delegate: run a, then run b", { do: "delegate", tasks: ["run a, then run b"] }],
  ["backtrack to 2: it was X", { do: "backtrack", checkpoint: 2, note: "it was X", restore: false }],
  ["backtrack to 2 and restore files: no", { do: "backtrack", checkpoint: 2, note: "no", restore: true }],
  ['call Foo {"a": 1}', { do: "call", name: "Foo", input: { a: 1 } }],
  ["hello", { do: "greet" }],
  ["help", { do: "help" }],
  ["refactor it all", { do: "unknown", text: "refactor it all" }],
]

describe("what a prompt asks for", () => {
  test.each(CASES)("%s", (prompt, ...requests) => {
    expect(parseRequests(prompt)).toEqual(requests)
  })

  test("requests on lines of their own are all found", () => {
    const prompt = "create a.txt with one\nplan: tea, cake\nrun ls\nread a.txt"
    expect(parseRequests(prompt).map((request) => request.do)).toEqual(["create", "todos", "run", "read"])
  })

  test("a request put into words means the same again", () => {
    const name = fc.stringMatching(/^[a-z][\w/-]{0,8}\.[a-z]{1,3}$/)
    const text = fc
      .string({ unit: "grapheme-ascii", minLength: 1, maxLength: 30 })
      .filter((value) => value.trim() !== "")
    const requests = fc.oneof(
      fc.record({ do: fc.constant("create" as const), path: name, content: text }),
      fc.record({ do: fc.constant("change" as const), path: name, old: text, new: text }),
      fc.record({ do: fc.constant("run" as const), command: text.filter((value) => !/\.\s*$/.test(value)) }),
      fc.record({ do: fc.constant("read" as const), paths: fc.array(name, { minLength: 1, maxLength: 4 }) }),
      fc.record({ do: fc.constant("search" as const), pattern: text, path: name }),
      fc.record({ do: fc.constant("say" as const), text }),
    )
    fc.assert(
      fc.property(requests, (request) => {
        expect(parseRequests(phraseOf(request))).toEqual([request])
      }),
      { numRuns: 300 },
    )
  })

  test("any text at all is read, however long", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), (text) => void parseRequests(text)),
      { numRuns: 200 },
    )
    expect(parseRequests(`change ${"a to b in ".repeat(20_000)}`)).toHaveLength(1)
    expect(parseRequests("run a, then ".repeat(500))).toHaveLength(500)
  })
})
