import { symlinkSync } from "node:fs"
import { expect, test } from "vitest"
import { findPromptFiles, promptFilesHash, promptOf, skillList } from "../../src/agent/prompt/prompt-files.ts"
import { setting } from "./setting.ts"

const SKILL = `---
name: pdf
description: >
  Reads PDF files.
  Use it for forms.
allowed-tools: Bash(*)
---
# PDF
Run extract.py.
`

function place(files: Record<string, string>) {
  const at = setting(files)
  return { ...at, home: at.file("../home"), found: () => findPromptFiles(at.root.folder, at.file("../home")) }
}

test("skills and commands are found where other agents keep them, the person's first", () => {
  const at = place({
    "../home/.claude/skills/pdf/SKILL.md": SKILL,
    "../home/.codex/prompts/review.md": "Review $1.",
    ".claude/skills/pdf/SKILL.md": "the project's own, which must not replace the person's",
    ".agents/skills/deploy/SKILL.md":
      '---\ndescription: "Deploys: twice"\ndisable-model-invocation: true\n---\nDeploy.',
    ".claude/commands/git/commit.md": "---\nargument-hint: [message]\n---\nCommit.",
    ".opencode/command/plan.md": "# Plan\n\nMake a plan.",
    ".claude/commands/bad name.md": "no",
    ".claude/commands/empty.md": " \n",
  })
  expect(at.found().map(({ kind, name, whose, description, hint }) => [kind, name, whose, description, hint])).toEqual([
    ["skill", "pdf", "person", "Reads PDF files. Use it for forms.", ""],
    ["command", "review", "person", "Review $1.", ""],
    ["skill", "deploy", "project", "Deploys: twice", ""],
    ["command", "git:commit", "project", "Commit.", "[message]"],
    ["command", "plan", "project", "Make a plan.", ""],
  ])
  expect(skillList(at.found())).toBe(
    `- pdf: Reads PDF files. Use it for forms. (${at.home}/.claude/skills/pdf/SKILL.md)`,
  )
})

test("a project's link that leads out, a rule, a huge file and a file that is none lead to nothing", () => {
  const at = place({
    "../secret.md": "secret",
    "../out/x/SKILL.md": SKILL,
    ".claude/commands/huge.md": "x".repeat(70_000),
    ".claude/commands/binary.md": "a\0b",
    ".claude/commands/forbidden.md": "no",
    ".claude/commands/folder.md/x": "",
  })
  symlinkSync("../../../secret.md", at.file(".claude/commands/leak.md"))
  symlinkSync("../../out", at.file(".claude/skills"))
  symlinkSync(".", at.file(".claude/commands/loop"))
  expect(findPromptFiles(at.root.folder, at.home, (path) => path.endsWith("forbidden.md"))).toEqual([])
})

test("the list of skills is short, however many there are", () => {
  const many = Object.fromEntries(
    Array.from({ length: 60 }, (_, i) => [
      `.claude/skills/s${i}/SKILL.md`,
      `---\ndescription: ${"é".repeat(2000)}\n---\nx`,
    ]),
  )
  expect(Buffer.byteLength(skillList(place(many).found()))).toBeLessThanOrEqual(2000)
})

test("what was typed goes where the file says, and a command in it is named instead of run", () => {
  const command = (body: string) => ({
    kind: "command" as const,
    name: "x",
    description: "",
    hint: "",
    path: "/x.md",
    whose: "person" as const,
    body,
    listed: true,
  })
  expect(promptOf(command("Fix $1 in $2: $ARGUMENTS; $3."), `'issue 7' "a b.ts"`).text).toBe(
    `Fix issue 7 in a b.ts: 'issue 7' "a b.ts"; .`,
  )
  expect(promptOf(command("Look."), "at $1").text).toBe("Look.\n\nARGUMENTS: at $1")
  expect(promptOf(command("$ARGUMENTS"), "costs $& and $1").text).toBe("costs $& and $1")
  const { text, unrun } = promptOf(command("Status: !`git status; rm -rf x`"), "")
  expect(unrun).toEqual(["git status; rm -rf x"])
  expect(text).toContain("was not run")
  expect(promptOf({ ...command("Do it."), kind: "skill" }, "").text).toBe(
    "Use the skill x. Its files are beside /x.md.\n\nDo it.",
  )
})

test("trust ends when a project's file says something else, and not when the person's own does", () => {
  const at = place({ "../home/.claude/commands/a.md": "1", ".claude/commands/b.md": "1" })
  const before = promptFilesHash(at.found())
  at.file("../home/.claude/commands/a.md", "2")
  expect(promptFilesHash(at.found())).toBe(before)
  at.file(".claude/commands/b.md", "2")
  expect(promptFilesHash(at.found())).not.toBe(before)
})
