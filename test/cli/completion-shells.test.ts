// The zsh and fish scripts in the shells themselves. Skipped where a shell is not installed: there is no other way.
import { execFileSync, spawnSync } from "node:child_process"
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, test } from "vitest"
import { SCRIPTS } from "../../src/cli/completion/shell-scripts.ts"

const home = realpathSync(mkdtempSync(join(tmpdir(), "retcon-shells-")))
afterAll(() => rmSync(home, { recursive: true, force: true }))

const isThere = (shell: string) => spawnSync(shell, ["--version"]).status === 0

function run(shell: string, options: string[], script: string): string[] {
  const env = { PATH: process.env.PATH ?? "", HOME: home, XDG_CONFIG_HOME: home, XDG_DATA_HOME: home, TERM: "dumb" }
  const out = execFileSync(shell, [...options, "-c", script], { encoding: "utf8", env, cwd: home })
  return out.trimEnd().split("\n")
}

describe.skipIf(!isThere("zsh"))("the zsh script (skipped: zsh is not installed)", () => {
  /** What `_describe` is given, with the words that retcon was asked with. */
  const inZsh = (words: string[], answers: string) =>
    run(
      "zsh",
      ["-f"],
      `autoload -U compinit && compinit -u -D
      retcon() { print -r -- "asked $#: $*" >&3; printf '${answers}'; }
      exec 3>&1
      source /dev/stdin <<'SCRIPT'\n${SCRIPTS.zsh}\nSCRIPT
      print -r -- "registered \${_comps[retcon]}"
      _describe() { print -rl -- "\${(@P)@[-1]}" >&3 }
      _files() { print files >&3 }
      words=(${words.map((word) => `'${word}'`).join(" ")}) CURRENT=${words.length}
      _retcon`,
    )

  test("is registered, asks with the words so far, and offers values with what they are", () => {
    expect(inZsh(["retcon", "goto", "h"], "head\\tthe current position\\nv:1\\ta label\\n")).toEqual([
      "registered _retcon",
      "asked 4: complete -- goto h",
      "head:the current position",
      "v\\:1:a label",
    ])
  })

  test("asks with an empty word after a space, and offers files where nothing is known", () => {
    expect(inZsh(["retcon", "import", ""], "")).toEqual(["registered _retcon", "asked 4: complete -- import ", "files"])
  })
})

describe.skipIf(!isThere("fish"))("the fish script (skipped: fish is not installed)", () => {
  const inFish = (line: string, answers: string) =>
    run(
      "fish",
      ["--no-config"],
      `function retcon; printf '<%s>' $argv > ${home}/asked; printf '${answers}'; end
      source ${home}/script.fish
      complete -C '${line}'
      cat ${home}/asked`,
    )

  test("asks with the words so far, and offers values with what they are", () => {
    writeFileSync(join(home, "script.fish"), SCRIPTS.fish)
    expect(inFish("retcon goto h", "head\\tthe current position\\nhere\\ta label\\n")).toEqual([
      "head\tthe current position",
      "here\ta label",
      "<complete><--><goto><h>",
    ])
    expect(inFish("retcon undo -s ", "abc123\\ttitle\\n").at(-1)).toBe("<complete><--><undo><-s><>")
  })
})
