import { execFileSync } from "node:child_process"
import { describe, expect, test } from "vitest"
import { SCRIPTS } from "../../src/cli/completion/shell-scripts.ts"
import { shortId } from "../../src/model/id.ts"
import { Bench } from "./bench.ts"

async function complete(bench: Bench, ...words: string[]): Promise<string[]> {
  const { out } = await bench.run(["complete", "--", ...words])
  return out.split("\n").flatMap((line) => (line === "" ? [] : [line.split("\t")[0] ?? ""]))
}

const BACK_OPTIONS = [
  "--files",
  "--session",
  "--dry-run",
  "--ours",
  "--theirs",
  "--write-conflicts",
  "--keep",
  "--only-certain",
  "--even-if-running",
  "--json",
  "--help",
]

describe("what fits", () => {
  test("commands, and only those a person types", async () => {
    const bench = new Bench()
    expect(await complete(bench, "r")).toEqual(["run", "redo", "restore", "revert", "rm"])
    expect(await complete(bench, "")).not.toContain("complete")
    expect(await complete(bench, "--color", "a")).toEqual(["auto", "always"])
  })

  test("options of the command, and the values they may have", async () => {
    const bench = new Bench()
    expect(await complete(bench, "back", "--")).toEqual(BACK_OPTIONS)
    expect(await complete(bench, "back", "--files", "")).toEqual(["keep", "restore"])
    expect(await complete(bench, "back", "--files=r")).toEqual(["--files=restore"])
    expect(await complete(bench, "export", "--to", "m")).toEqual(["markdown"])
    expect(await complete(bench, "completion", "")).toEqual(["bash", "zsh", "fish"])
  })

  test("sessions of this directory, with their titles", async () => {
    const bench = new Bench()
    const session = await bench.session(1)
    await bench.run(["title", "my \u001b[31mwork"])
    const { out } = await bench.run(["complete", "--", "log", "-s", ""])
    expect(out).toBe(`${shortId(session.id)}\tmy work\n`)
    expect(await complete(bench, "run", "--resume", "")).toEqual([shortId(session.id)])
    expect(await complete(bench, "rm", "")).toEqual([shortId(session.id)])
    await bench.run(["rm", "-y"])
    expect(await complete(bench, "rm", "--restore", "")).toEqual([shortId(session.id)])
  })

  test("entries: labels, prompts of the path, head and start", async () => {
    const bench = new Bench()
    await bench.session(2)
    await bench.run(["label", "@2", "here"])
    expect(await complete(bench, "goto", "")).toEqual(["here", "@2", "@1", "head", "start"])
    expect(await complete(bench, "goto", "he")).toEqual(["here", "head"])
    expect(await complete(bench, "show", "--entry", "@")).toEqual(["@2", "@1"])
    expect(await complete(bench, "goto", "-s", "nosuchsession", "")).toEqual([])
    for (const words of [["diff"], ["diff", "@1"], ["restore"], ["label"], ["show", "--entry"]]) {
      expect(await complete(bench, ...words, "")).toEqual(["here", "@2", "@1", "head"])
    }
  })

  test("settings and their values", async () => {
    const bench = new Bench()
    expect(await complete(bench, "config", "")).toEqual([
      "durability",
      "files",
      "mode",
      "sandbox",
      "sandbox.network",
      "colour",
      "pager",
      "notify",
      "keep.auto",
      "keep.budget",
      "mcp.restore",
      "model",
      "sandbox.write",
      "trust",
      "workspace.maxFiles",
      "workspace.maxFileSize",
      "workspace.include",
      "workspace.budget",
      "workspace.allowAny",
    ])
    expect(await complete(bench, "config", "files", "")).toEqual(["keep", "restore"])
    expect(await complete(bench, "config", "nosuchkey", "")).toEqual([])
  })

  test("nothing where nothing is known", async () => {
    const bench = new Bench()
    expect(await complete(bench, "import", "")).toEqual([])
    expect(await complete(bench, "undo", "x")).toEqual([])
  })
})

describe("the bash script", () => {
  /** Runs the script in bash with a retcon that says which words it got, then what these lines complete to. */
  function inBash(line: string, piece: string, answers: string[]): { asked: string[]; reply: string[] } {
    const script = `
      retcon() { printf 'asked<%s>\\n' "$@" >&2; printf '%s\\n' ${answers.map((text) => `$'${text}'`).join(" ")}; }
      ${SCRIPTS.bash.replace("2>/dev/null", "")}
      COMP_LINE=${JSON.stringify(line)} COMP_POINT=${line.length}
      _retcon retcon ${JSON.stringify(piece)} x
      printf 'reply<%s>\\n' "\${COMPREPLY[@]}"
      complete -p retcon >/dev/null || echo 'not registered'`
    const out = execFileSync("bash", ["--noprofile", "--norc", "-c", `exec 2>&1\n${script}`], { encoding: "utf8" })
    const found = (kind: string) =>
      [...out.matchAll(new RegExp(`^${kind}<(.*)>$`, "gm"))].map((match) => match[1] ?? "")
    expect(out).not.toContain("not registered")
    return { asked: found("asked"), reply: found("reply") }
  }

  test("asks with the words so far and offers the values", () => {
    expect(inBash("retcon goto h", "h", ["here\\tabout", "head\\tthe current position"])).toEqual({
      asked: ["complete", "--", "goto", "h"],
      reply: ["here", "head"],
    })
  })

  test("asks with an empty word after a space", () => {
    expect(inBash("retcon undo -s ", "", ["abc123\\ttitle"])).toEqual({
      asked: ["complete", "--", "undo", "-s", ""],
      reply: ["abc123"],
    })
  })

  test("offers only what follows the @ that bash splits at", () => {
    expect(inBash("retcon goto @", "", ["@1\\tone", "@12\\ttwo"])).toEqual({
      asked: ["complete", "--", "goto", "@"],
      reply: ["1", "12"],
    })
    expect(inBash("retcon goto @1", "@1", ["@1\\tone"]).reply).toEqual(["@1"])
  })

  test("quotes a value with a space", () => {
    expect(inBash("retcon goto ", "", ["two words\\tlabel"]).reply).toEqual(["two\\ words"])
  })
})

for (const shell of ["bash", "zsh", "fish"] as const) {
  test(`completion ${shell} prints the script`, async () => {
    const { out } = await new Bench().run(["completion", shell])
    expect(out).toBe(SCRIPTS[shell])
  })
}
