import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { runDocs } from "./run-docs.ts"

async function problemsOf(markdown: string): Promise<string[]> {
  return (await runDocs("page.md", markdown)).flatMap(({ problems }) => problems)
}

test("blocks of one page run in order in one place, apart from the person's own home", async () => {
  const page = [
    "```console",
    "$ pwd",
    "/home/you/project",
    "$ mkdir inner && cd inner && word=kept",
    "$ printf no-newline",
    "no-newline",
    "```",
    "then",
    "```console",
    "$ pwd; echo $word; echo oops >&2; ls -a /home/you",
    "/home/you/project/inner",
    "kept",
    "oops",
    "…",
    "project",
    "shop",
    "```",
  ]
  expect(await problemsOf(page.join("\n"))).toEqual([])
})

test("retcon is the built program", async () => {
  const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string }
  expect(await problemsOf(`\`\`\`console\n$ retcon --version\n${version}\n\`\`\`\n`)).toEqual([])
})

test("an id printed by one command can be used in the next", async () => {
  const page = [
    "```console",
    "$ id=$(od -An -N3 -tx1 /dev/urandom | tr -d ' \\n'); echo entry $id",
    "entry 3f2a91",
    "$ test 3f2a91 = $id && echo same",
    "same",
    "```",
  ]
  expect(await problemsOf(page.join("\n"))).toEqual([])
})

test("a wrong output is shown as a difference, with file and line", async () => {
  expect(await problemsOf("\n```console\n$ echo a; echo b\na\nc\n```\n")).toEqual([
    "page.md:3: $ echo a; echo b\n    a\n  - c\n  + b",
  ])
})

test("a command that fails must say so in the docs", async () => {
  expect(await problemsOf("```console\n$ (exit 3)\n$ (exit 3) # exit 3\n$ if\n…\n```\n")).toEqual([
    "page.md:2: $ (exit 3)\n  expected exit 0, got 3\n",
    expect.stringContaining("page.md:4: $ if\n  expected exit 0, got "),
  ])
})

test("a command that ends the shell is named, and so are those after it", async () => {
  expect(await problemsOf("```console\n$ exit 0\n$ echo late\nlate\n```\n")).toEqual([
    "page.md:2: $ exit 0\n  expected exit 0, got the end of the shell\n",
    "page.md:3: $ echo late\n  expected exit 0, got the end of the shell\n  - late",
  ])
})
