import { expect, test } from "vitest"
import { consoleBlocks } from "./console-blocks.ts"

const sample = `# Title

\`\`\`console
$ echo one
one
$ cat <<'END'
> two
> END
two

$ false # exit 1
\`\`\`

\`\`\`js
$ not("a command")
\`\`\`

- a list

  \`\`\`console no-run
  $ npm start
  \`\`\`
`

test("a block contains its commands, with what they print and their line numbers", () => {
  expect(consoleBlocks(sample)[0]).toEqual({
    line: 3,
    run: true,
    steps: [
      { line: 4, command: "echo one", expected: ["one"], exit: 0 },
      { line: 6, command: "cat <<'END'\ntwo\nEND", expected: ["two", ""], exit: 0 },
      { line: 11, command: "false # exit 1", expected: [], exit: 1 },
    ],
  })
})

test("a block marked no-run is only shown, and other languages are no commands", () => {
  expect(consoleBlocks(sample).slice(1)).toEqual([
    { line: 20, run: false, steps: [{ line: 21, command: "npm start", expected: [], exit: 0 }] },
  ])
})

test("a block that starts with output is a mistake in the docs", () => {
  expect(() => consoleBlocks("```console\nout\n```\n")).toThrow('line 2: a console block starts with "$ command"')
})
