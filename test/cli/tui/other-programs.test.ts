// Programs of the person that the terminal starts: an editor, another agent, what knows the clipboard, tmux.
import { chmodSync, existsSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { expect, test } from "vitest"
import { editText } from "../../../src/cli/tui/edit-text.ts"
import { clipboardImage, readImage } from "../../../src/cli/tui/image.ts"
import { runAgentProgram } from "../../../src/cli/tui/run-agent-program.ts"
import { tmuxHint } from "../../../src/cli/tui/tmux-hint.ts"
import { temporaryFolder } from "../../formats/read-session.ts"

const PNG = Buffer.from("89504e470d0a1a0a00", "hex")

/** A folder with a project, and one with these programs: shell scripts by name. */
function place(programs: Record<string, string> = {}) {
  const root = temporaryFolder()
  const [cwd, bin] = [join(root, "project"), join(root, "bin")]
  for (const folder of [cwd, bin]) mkdirSync(folder)
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`)
    chmodSync(join(bin, name), 0o755)
  }
  return { cwd, bin, env: { PATH: `${bin}:/usr/bin:/bin` } }
}

test("the person's editor gets the text in a file of their own, and what it leaves is the text", async () => {
  const { cwd, bin, env } = place({
    edit: 'cp "$2" "$(dirname "$0")/had"; stat -c %a "$2" > "$(dirname "$0")/mode"; echo "$2" > "$(dirname "$0")/where"; printf "new %s" "$1" > "$2"',
  })
  expect(await editText({ ...env, VISUAL: "", EDITOR: "edit --wait" }, cwd, "old")).toBe("new --wait")
  expect(readFileSync(join(bin, "had"), "utf8")).toBe("old")
  expect(readFileSync(join(bin, "mode"), "utf8")).toBe("600\n")
  expect(existsSync(dirname(readFileSync(join(bin, "where"), "utf8").trim()))).toBe(false)
})

test("VISUAL takes precedence over EDITOR, vi is used if neither is set, and an editor that fails changes nothing", async () => {
  const { cwd, env } = place({
    one: 'printf one > "$1"',
    two: 'printf two > "$1"',
    vi: 'printf vi > "$1"',
    bad: 'printf bad > "$1"; exit 1',
  })
  expect(await editText({ ...env, VISUAL: "one", EDITOR: "two" }, cwd, "")).toBe("one")
  expect(await editText({ ...env, EDITOR: "two" }, cwd, "")).toBe("two")
  expect(await editText(env, cwd, "")).toBe("vi")
  expect(await editText({ ...env, EDITOR: "bad" }, cwd, "")).toBeUndefined()
})

test("an image that is named is read, however its path was pasted", async () => {
  const { cwd } = place()
  writeFileSync(join(cwd, "a b.PNG"), PNG)
  const image = { name: "a b.PNG", part: { type: "image", mediaType: "image/png", data: PNG.toString("base64") } }
  for (const path of ["a b.PNG", "a\\ b.PNG", join(cwd, "a b.PNG"), `file://${cwd}/a b.PNG`]) {
    expect(await readImage(cwd, path)).toEqual(image)
  }
})

test("what is no image that can be sent is only a text", async () => {
  const { cwd } = place()
  mkdirSync(join(cwd, "folder.png"))
  writeFileSync(join(cwd, "a.txt"), PNG)
  writeFileSync(join(cwd, "large.gif"), PNG)
  truncateSync(join(cwd, "large.gif"), 10 * 1024 * 1024 + 1)
  for (const path of ["folder.png", "a.txt", "large.gif", "none.png"])
    expect(await readImage(cwd, path)).toBeUndefined()
  truncateSync(join(cwd, "large.gif"), 10 * 1024 * 1024)
  expect(await readImage(cwd, "large.gif")).toMatchObject({ part: { mediaType: "image/gif" } })
})

test("the clipboard's image comes from the first program that has one", async () => {
  const text = `printf 'some text that is no image'`
  const image = `printf '\\211PNG\\r\\n\\032\\n\\000'`
  const { cwd, bin, env } = place({ "wl-paste": text, xclip: "exit 1", pngpaste: image })
  expect(await clipboardImage(env, cwd)).toEqual({
    name: "clipboard.png",
    part: { type: "image", mediaType: "image/png", data: PNG.toString("base64") },
  })
  writeFileSync(join(bin, "pngpaste"), `#!/bin/sh\nprintf '\\211PNG'`)
  expect(await clipboardImage(env, cwd)).toBeUndefined()
  expect(await clipboardImage({ PATH: cwd }, cwd)).toBeUndefined()
})

test("another agent's program runs where the session is, with its words", async () => {
  const { cwd, bin, env } = place({ agent: 'echo "$PWD $*" > "$(dirname "$0")/ran"' })
  await runAgentProgram(env, ["agent", "--resume", "s 1"], cwd)
  expect(readFileSync(join(bin, "ran"), "utf8")).toBe(`${cwd} --resume s 1\n`)
})

test("without the program, or its folder, it says what to do instead", async () => {
  const { cwd, env } = place({ agent: "exit 0" })
  await expect(runAgentProgram(env, ["nobody"], cwd)).rejects.toThrow("There is no program called nobody.")
  await expect(runAgentProgram(env, ["agent"], join(cwd, "gone"))).rejects.toThrow(
    `The folder of this session is gone: ${cwd}/gone`,
  )
})

test("for a tmux that does not distinguish Shift+Enter from Enter: how to change that", async () => {
  const off = place({ tmux: '[ "$*" = "show-options -sv extended-keys" ] && echo off' })
  const inside = { TMUX: "/tmp/tmux-1/default,1,0" }
  expect(await tmuxHint({ ...off.env, ...inside }, off.cwd)).toContain("tmux set -s extended-keys on")
  expect(await tmuxHint(off.env, off.cwd)).toBeUndefined()
  expect(await tmuxHint({ ...off.env, TMUX: "" }, off.cwd)).toBeUndefined()
  expect(await tmuxHint({ PATH: off.cwd, ...inside }, off.cwd)).toBeUndefined()
  const on = place({ tmux: "echo on" })
  expect(await tmuxHint({ ...on.env, ...inside }, on.cwd)).toBeUndefined()
  const old = place({ tmux: "exit 1" })
  expect(await tmuxHint({ ...old.env, ...inside }, old.cwd)).toBeUndefined()
})
