import { expect, test } from "vitest"
import { fromClaude } from "../../../src/agent/permission/claude-rules.ts"
import { decide, makePolicy } from "../../../src/agent/permission/policy.ts"

test.each([
  ["Bash", "Bash"],
  ["Bash(*)", "Bash"],
  ["Bash(git push:*)", "Bash(git push:*)"],
  ["Bash(npm run *)", "Bash(npm run *)"],
  ["Bash(rm -rf /)", "Bash(rm -rf /)"],
  ["Bash(git push*)", "Bash(git push)"],
  ["Read(./.env)", "Read(.env)"],
  ["Read(.env)", "Read(**/.env)"],
  ["Read(.env.*)", "Read(**/.env.*)"],
  ["Read(**/.env)", "Read(**/.env)"],
  ["Read(./secrets/**)", "Read(secrets)"],
  ["Read(secrets/)", "Read(**/secrets)"],
  ["Read(/etc)", "Read(etc)"],
  ["Read(//etc/passwd)", "Read(/etc/passwd)"],
  ["Read(~/.ssh/**)", "Read(~/.ssh/**)"],
  ["Edit(/docs/**)", "Edit(docs)"],
  ["MultiEdit(src/a.ts)", "Edit(src/a.ts)"],
  ["Write", "Write"],
  ["mcp__github__*", "mcp__github"],
  ["mcp__github__push", "mcp__github__push"],
])("%s is %s here", (theirs, ours) => {
  expect(fromClaude(theirs)).toMatchObject({ rule: ours })
})

test.each([
  "Bash(curl * | bash)",
  "Bash(git * main)",
  "Read(!a)",
  "WebFetch(domain:x.org)",
  "",
  "Bash(rm; ls)",
  "read this",
])("%j is not understood, and says so", (theirs) => {
  expect(fromClaude(theirs)).toEqual({ problem: expect.any(String) })
})

test("a rule of the project starts at the project, from a workspace further down", () => {
  expect(fromClaude("Read(/.env)", "../..")).toEqual({ rule: "Read(../../.env)" })
  expect(fromClaude("Read(*.pem)", "..")).toEqual({ rule: "Read(../**/*.pem)" })
})

function judged(command: string, rules: { ask?: string[]; allow?: string[]; deny?: string[] }, path?: string): string {
  const at = { root: "/w", home: "/home/me", readable: [], own: undefined }
  const { policy } = makePolicy({ mode: "yolo", ...rules })
  const paths = path === undefined ? [] : [path]
  const action = { kind: "command", command, cwd: "/w", background: false } as const
  const other = { kind: "other", input: {} } as const
  return path === undefined
    ? decide({ ...at, tool: "Bash", effect: "runs", action, named: [], real: [] }, policy).decision
    : decide({ ...at, tool: "Read", effect: "reads", action: other, named: paths, real: paths }, policy).decision
}

test("what must be asked about is asked about in every mode, whatever is allowed; what is forbidden is not even asked", () => {
  const ask = ["Bash(git push:*)", "Read(**/.env)"]
  expect(judged("git push --force", { ask })).toBe("ask")
  expect(judged("git push", { ask, allow: ["Bash", "Bash(=git push)"] })).toBe("ask")
  expect(judged("git $x", { ask })).toBe("ask")
  expect(judged("git status", { ask })).toBe("allow")
  expect(judged("", { ask }, "/w/a/.env")).toBe("ask")
  expect(judged("", { ask }, "/w/a/env")).toBe("allow")
  expect(judged("git push", { ask, deny: ["Bash(git push)"] })).toBe("deny")
})
