import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { report, UsageError } from "../../src/cli/port/errors.ts"
import { Bench } from "./bench.ts"

const cases: [string[], string][] = [
  [
    ["bakc"],
    "retcon: Unknown command 'bakc' (Did you mean back?)\n  If this is a prompt: retcon run bakc. See: retcon --help\n",
  ],
  [
    ["hello"],
    "retcon: Unknown command 'hello' (Did you mean help?)\n" +
      "  If this is a prompt: retcon run hello. See: retcon --help\n",
  ],
  [["back", "--jsn"], "retcon: Unknown option '--jsn' (Did you mean --json?)\n  See: retcon back --help\n"],
  [
    ["back", "1", "2"],
    "retcon: Too many arguments for 'back'. Expected 1 argument but got 2.\n  See: retcon back --help\n",
  ],
  [["back", "two"], 'retcon: "two" is not a whole number above 0.\n  Use 1, 2, 3, …\n'],
  [["log", "--limit", "0"], 'retcon: "0" is not a whole number above 0.\n  Use 1, 2, 3, …\n'],
  [["undo", "-s"], "retcon: Option '-s, --session <id>' argument missing\n  See: retcon undo --help\n"],
  [
    ["undo", "--files", "both"],
    "retcon: Option '--files <how>' argument 'both' is invalid. Allowed choices are keep, restore.\n" +
      "  See: retcon undo --help\n",
  ],
  [
    ["completion", "tcsh"],
    "retcon: Command-argument value 'tcsh' is invalid for argument 'shell'. Allowed choices are bash, zsh, fish.\n" +
      "  See: retcon completion --help\n",
  ],
]

for (const [words, said] of cases) {
  test(`retcon ${words.join(" ")} is a usage error with the way to help`, async () => {
    const { exit, out, err } = await new Bench().run(words)
    expect({ exit, out, err }).toEqual({ exit: 2, out: "", err: said })
  })
}

test("with --json a usage error is JSON as well", async () => {
  const { exit, error } = await new Bench().run(["bakc", "--json"])
  expect(exit).toBe(2)
  expect(error()).toEqual({
    code: "usage",
    message: "Unknown command 'bakc' (Did you mean back?)",
    hint: "See: retcon --help",
    advice: ["See: retcon --help"],
  })
})

test("without a command, with help and with --help, the commands are shown", async () => {
  const bench = new Bench()
  for (const words of [[], ["help"], ["--help"], ["-h"]]) {
    const { exit, out, err } = await bench.run(words)
    expect({ exit, err }).toEqual({ exit: 0, err: "" })
    expect(out).toContain("go back to before your last prompt")
    expect(out).not.toContain("complete [")
  }
  expect((await bench.run(["help", "goto"])).out).toMatch(/^Usage: retcon goto \[options\] <entry>\n/)
})

test.each([40, 60, 80, 120])("the commands fit a screen of %i columns", async (width) => {
  const { out } = await new Bench().run(["--help"], { width })
  expect(out.split("\n").filter((line) => line.length > width)).toEqual([])
  expect(out.replace(/\s+/g, " ")).toContain("restore [options] <entry> [paths...] restore files as they were")
})

test.each(["--version", "-V", "-v", "version"])("%s prints the version alone", async (word) => {
  expect(await new Bench().run([word])).toMatchObject({ exit: 0, out: "0.0.0\n", err: "" })
})

test("an unexpected error is two lines that ask for a report; RETCON_DEBUG adds where it comes from", () => {
  const said = (debug: boolean) => {
    const written: string[] = []
    const write = (text: string) => void written.push(text)
    const err = { write, isTerminal: false, width: 80, colours: false }
    expect(report(new TypeError("x is not \u001b[31ma function"), err, { json: false, debug, command: "" })).toBe(1)
    return written.join("")
  }
  expect(said(false)).toBe(
    "retcon: This is a bug in retcon: TypeError: x is not a function\n" +
      "  Run it again with RETCON_DEBUG=1 to see where it happened, and please report it.\n",
  )
  expect(said(true)).toContain("usage.test.ts")
})

test("on a narrow screen an error is broken between words, and continues under its beginning", () => {
  const written: string[] = []
  const write = (text: string) => void written.push(text)
  const error = new UsageError("This is said at such a length that no narrow screen holds it.", "See: retcon --help")
  report(error, { write, isTerminal: true, width: 40, colours: false }, { json: false, debug: false, command: "" })
  expect(written.join("")).toBe(
    "retcon: This is said at such a length\n  that no narrow screen holds it.\n  See: retcon --help\n",
  )
})

test("an error is one line, also when what it quotes has several", async () => {
  const bench = new Bench()
  const file = bench.file("x.jsonl", "oops\rmore\n")
  const { err } = await bench.run(["log", "-s", file])
  expect(err.split("\n")).toHaveLength(3)
})

test("a folder in the place of a file is called one, and the hint is no mere second try", async () => {
  const bench = new Bench()
  mkdirSync(join(bench.home, "config.json"), { recursive: true })
  const { exit, err } = await bench.run(["config"])
  expect(exit).toBe(1)
  expect(err).toMatch(/config\.json could not be used: it is a folder\.\n {2}Fix the cause/)
})
