// /allow shows each rule in words. A rule that forbids must not read like one that allows.
import { expect, test } from "vitest"
import { parseRule, type Rule } from "../../../src/agent/permission/rule.ts"
import { allowWords, denyWords } from "../../../src/agent/permission/rule-words.ts"

test.each([
  ["Bash", "every command, whatever it does", "refuses every command"],
  [
    "Bash(rm -rf)",
    "rm -rf (deletes files, also outside this folder), with arguments that are not known to run programs or write files",
    "refuses every `rm -rf …`",
  ],
  ["Bash(rm *)", "every command that begins with rm (deletes files, also outside this folder)", "refuses every `rm …`"],
  [
    "Bash(git commit)",
    "git commit (runs the hooks of this repository), with arguments that are not known to run programs or write files",
    "refuses every `git commit …`",
  ],
  ["Bash(=git push)", "exactly this command", "refuses every `git push …`"],
  ["Write", "changing files in this folder", "refuses every change to files"],
  ["Edit(src/**)", "changing files: src/**", "refuses changes to src/**"],
  ["Read(~/.ssh/**)", "reading files: ~/.ssh/**", "refuses to read, change or find ~/.ssh/**"],
  ["Grep(src)", "searching files: src", "refuses Grep in src"],
  ["Task", "every call of Task", "refuses every call of Task"],
  ['mcp__x__y(={"a":1})', "calls of mcp__x__y with exactly this input", "refuses mcp__x__y with exactly this input"],
])("%s is %j, and forbidden %j", (text, allowed, forbidden) => {
  const rule = parseRule(text) as Rule
  expect([allowWords(rule), denyWords(rule)]).toEqual([allowed, forbidden])
})
