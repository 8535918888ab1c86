// What is known about a command, by the words that name it.
import { expect, test } from "vitest"
import { harmlessName, knownCommand, runsAsItIs } from "../../../src/agent/permission/known-commands.ts"
import type { Word } from "../../../src/agent/permission/shell-words.ts"

/** A word that begins with $ is one that only the shell can expand. */
const words = (command: string) =>
  command.split(" ").map((text): Word => {
    if (text.startsWith("$")) return { text, becomes: "several", begins: "" }
    return { text, becomes: "itself", begins: text }
  })

test.each([
  ["git status", "harmless", "git status"],
  ["git status -s", "harmless", "git status"],
  ["git stash list", "harmless", "git stash list"],
  ["git worktree list -v", "harmless", "git worktree list"],
  ["git stash", "unknown", undefined],
  ["git stash drop", "unknown", undefined],
  ["git push", "runs", undefined],
  ["git $x", "unknown", undefined],
  ["git stash $x", "unknown", undefined],
  ["ls -l", "harmless", "ls"],
  ["/bin/ls -l", "harmless", undefined],
  ["$ls", "unknown", undefined],
  ["[ -f a ]", "harmless", "["],
  ["echo hi", "harmless", "echo"],
  ["npm run build", "runs", undefined],
  ["/usr/bin/npm run build", "runs", undefined],
  ["npm view x", "unknown", undefined],
  ["constructor", "unknown", undefined],
])("%s is %s, and a wider rule would contain %s", (command, kind, name) => {
  expect(knownCommand(words(command)).kind).toBe(kind)
  expect(harmlessName(words(command))).toBe(name)
})

test("the words that run what follows them, and no more", () => {
  const runs = (command: string) => runsAsItIs(command.split(" "))
  expect(["npm run", "/usr/bin/npm run", "gradle", "git push"].map(runs)).toEqual([true, true, true, true])
  expect(["npm run build", "npm", "git status", ""].map(runs)).toEqual([false, false, false, false])
})
