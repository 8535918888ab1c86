import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { makePolicy } from "../../../src/agent/permission/policy.ts"
import { scripted, setting, takeStep } from "../setting.ts"

const write = (path: string, content = "x\n") => ({ name: "Write", input: { path, content } })
const bash = (command: string) => ({ name: "Bash", input: { command } })
const read = (path: string) => ({ name: "Read", input: { path } })
const edit = (path: string, old: string, fresh: string) => ({ name: "Edit", input: { path, old, new: fresh } })

test.each([
  ["default", ["Write", "Edit", "Bash"]],
  ["autoEdit", ["Bash"]],
  ["yolo", []],
] as const)("in the mode %s, %j are asked about", async (mode, tools) => {
  const at = setting({ a: "a\n" })
  const calls = [read("a"), { name: "Grep", input: { pattern: "a" } }, write("b"), edit("a", "a", "b"), bash("true")]
  const { asked } = await takeStep(at, scripted({ calls }), { mode, answer: () => ({ answer: "once" }) })
  expect(asked.map((request) => request.tool)).toEqual(tools)
})

test("in plan mode what would change or run is refused without a question, whatever is allowed; reading goes on", async () => {
  const at = setting({ a: "a\n" })
  const calls = [read("a"), write("b"), edit("a", "a", "b"), bash("true")]
  const allow = ["Write", "Edit", "Bash", "Bash(=true)"]
  const { asked, outputs } = await takeStep(at, scripted({ calls }), { mode: "plan", allow })
  expect(asked).toEqual([])
  expect(outputs.map((output) => output.startsWith("Not allowed: in plan mode"))).toEqual([false, true, true, true])
  expect(readdirSync(at.root.folder)).toEqual(["a"])
})

test("a request says exactly what would happen", async () => {
  const at = setting({ a: "one\ntwo\nthree\n" })
  const calls = [edit("a", "two", "2"), bash("npm test && rm -rf /")]
  const { asked, outputs } = await takeStep(at, scripted({ calls }), { mode: "default" })
  expect(asked[0]).toEqual({
    call: "call-1",
    tool: "Edit",
    title: "Edit a",
    action: {
      kind: "write",
      path: at.file("a"),
      diff: "--- a/a\n+++ b/a\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n",
    },
    outside: [],
    warnings: [],
    grants: [
      { id: "this", rules: [`Write(${at.file("a")})`, `Edit(${at.file("a")})`], words: "changes to a", width: "exact" },
      { id: "tool", rules: ["Write", "Edit"], words: "all changes to files in this folder", width: "wide" },
    ],
  })
  expect(asked[1]).toMatchObject({
    title: "Bash: npm test && rm -rf /",
    action: { kind: "command", command: "npm test && rm -rf /", cwd: at.root.folder, background: false },
    grants: [
      { id: "this", rules: ["Bash(=npm test && rm -rf /)"], words: "exactly this command", width: "exact" },
      {
        id: "like",
        rules: ["Bash(npm test *)", "Bash(rm *)"],
        words:
          'every `npm test …` (runs whatever the script "test" in package.json says, with any arguments) and `rm …` (deletes files, also outside this folder)',
        width: "wide",
      },
      { id: "tool", rules: ["Bash"], words: "every command, whatever it does", width: "wide" },
    ],
  })
  expect(outputs).toEqual(Array(2).fill("The person refused this call; it was not made. They say: nobody is here"))
  expect(readFileSync(at.file("a"), "utf8")).toBe("one\ntwo\nthree\n")
})

test("yes for the session counts from the next call on, and for no more than it said", async () => {
  const at = setting()
  const calls = [bash("git --version; true"), bash("git --version; true"), bash("true && false")]
  const { asked, granted } = await takeStep(at, scripted({ calls }), {
    mode: "default",
    answer: ({ call }) => (call === "call-1" ? { answer: "session" } : { answer: "no" }),
  })
  expect(asked.map((request) => request.call)).toEqual(["call-1", "call-3"])
  expect(granted).toEqual(["Bash(=git --version; true)"])
})

test("a call that cannot work is not asked about", async () => {
  const at = setting({ a: "one\n" })
  const { asked, outputs } = await takeStep(at, scripted({ calls: [edit("a", "two", "2")] }), { mode: "default" })
  expect(asked).toEqual([])
  expect(outputs[0]).toContain("`old` is not in the file")
})

test.each(["default", "autoEdit", "yolo"] as const)("paths outside the workspace ask in the mode %s", async (mode) => {
  const at = setting()
  const outside = join(at.root.folder, "..", "secret")
  mkdirSync(outside)
  symlinkSync(outside, at.file("link"))
  symlinkSync(join(outside, "not-there-yet"), at.file("dangling"))
  const calls = [
    read(outside),
    write("../secret/x"),
    write("link/x"),
    write("dangling"),
    { name: "Glob", input: { pattern: "*", path: "link" } },
  ]
  const { asked } = await takeStep(at, scripted({ calls }), { mode, allow: ["Read", "Write", "Glob"] })
  expect(asked.map((request) => [request.call, request.outside])).toEqual([
    ["call-1", [outside]],
    ["call-2", [join(outside, "x")]],
    ["call-3", [join(outside, "x")]],
    ["call-4", [join(outside, "not-there-yet")]],
    ["call-5", [outside]],
  ])
  expect(existsSync(join(outside, "x"))).toBe(false)
})

test("a rule that names a path outside allows it, and only it", async () => {
  const at = setting()
  const outside = join(at.root.folder, "..", "shared")
  const calls = [write(join(outside, "a")), write(join(outside, "deep/b")), write(`${outside}-not/c`)]
  const parts = { mode: "autoEdit", allow: [`Write(${outside}/**)`] } as const
  const { asked } = await takeStep(at, scripted({ calls }), { ...parts, allow: [...parts.allow] })
  expect(asked.map((request) => request.call)).toEqual(["call-3"])
})

test("what an edit outside would have shown is not shown before someone agrees", async () => {
  const at = setting()
  at.file("../secret", "password\n")
  const { outputs, asked } = await takeStep(at, scripted({ calls: [edit("../secret", "passwort", "x")] }), {
    mode: "yolo",
  })
  expect(asked).toHaveLength(1)
  expect(outputs.join()).not.toContain("password")
})

test("a rule about files does not bind commands", async () => {
  const at = setting({ ".env": "KEY=1\n" })
  const { outputs } = await takeStep(at, scripted({ calls: [bash("cat .env"), read(".env")] }), {
    mode: "yolo",
    deny: ["Read(.env)"],
  })
  expect(outputs[0]).toContain("KEY=1")
  expect(outputs[1]).toContain("the rule Read(.env) forbids")
})

test("a deny rule wins over every mode and every allow rule", async () => {
  const at = setting({ ".env": "KEY=1\n", "src/a": "KEY=2\n" })
  const calls = [
    read(".env"),
    edit(".env", "KEY", "X"),
    bash("rm -rf src"),
    write("src/a"),
    { name: "Grep", input: { pattern: "KEY" } },
    { name: "Glob", input: { pattern: "**/.env" } },
    { name: "Grep", input: { pattern: "KEY", path: ".env" } },
  ]
  const { outputs, asked } = await takeStep(at, scripted({ calls }), {
    mode: "yolo",
    allow: ["Read", "Edit", "Bash", "Write", "Read(.env)"],
    deny: ["Read(**/.env)", "Bash(rm)", "Write(src/**)"],
  })
  expect(asked).toEqual([])
  expect(outputs.slice(0, 4).map((output) => /the rule (.*) forbids/.exec(output)?.[1])).toEqual([
    "Read(**/.env)",
    "Read(**/.env)",
    "Bash(rm)",
    "Write(src/**)",
  ])
  expect(outputs.slice(4)).toEqual(["src/a:1: KEY=2", "No file matches **/.env.", "No line matches KEY."])
})

test("a deny rule that names a folder forbids all that is in it; an allow rule does not", async () => {
  const at = setting({ "src/deep/a": "KEY=2\n", "srcs/a": "KEY=3\n" })
  const calls = [write("src/deep/a"), write("srcs/a"), { name: "Grep", input: { pattern: "KEY" } }]
  const deny = ["Write(src)", "Read(src/deep)"]
  const { outputs } = await takeStep(at, scripted({ calls }), { mode: "yolo", deny })
  expect(outputs[0]).toContain("the rule Write(src) forbids")
  expect(outputs.slice(1).join()).not.toContain("src/deep")
  const allowed = await takeStep(at, scripted({ calls: [write("srcs/b")] }), {
    mode: "default",
    allow: ["Write(srcs)"],
  })
  expect(allowed.asked).toHaveLength(1)
})

test("a denied file cannot be reached through a link", async () => {
  const at = setting({ ".env": "KEY=1\n" })
  symlinkSync(".env", at.file("innocent"))
  const { outputs } = await takeStep(at, scripted({ calls: [read("innocent")] }), { deny: ["Read(.env)"] })
  expect(outputs[0]).toContain("forbids it")
})

test("a workspace that becomes a link in mid-turn leads outside, and needs approval", async () => {
  const at = setting({ "a.txt": "mine\n" })
  const { folder: root } = at.root
  const elsewhere = join(root, "..", "elsewhere")
  const calls = [
    read("a.txt"),
    { name: "Bash", input: { command: `mv ${root} ${root}.was; mkdir ${elsewhere}; ln -s ${elsewhere} ${root}` } },
    write("b.txt"),
  ]
  const { asked } = await takeStep(at, scripted({ calls }), { mode: "yolo" })
  expect(asked.map(({ call, outside }) => ({ call, outside }))).toEqual([
    { call: "call-3", outside: [join(elsewhere, "b.txt")] },
  ])
})

test("editing files that make something run is more than an edit", async () => {
  const at = setting()
  const calls = [
    write(".git/hooks/pre-commit"),
    write("sub/.git/config"),
    write(".retcon.json", "{}"),
    write(".gitignore"),
  ]
  const { asked } = await takeStep(at, scripted({ calls }), { mode: "autoEdit", allow: ["Write"] })
  expect(asked.map((request) => request.call)).toEqual(["call-1", "call-2", "call-3"])
})

test("one question is asked at a time, and an answer may settle the next", async () => {
  const at = setting()
  let [open, most] = [0, 0]
  const outside = join(at.root.folder, "..")
  const calls = [1, 2, 3].map((offset) => ({ name: "Read", input: { path: outside, offset } }))
  const { asked } = await takeStep(at, scripted({ calls }), {
    answer: async () => {
      most = Math.max(most, ++open)
      await new Promise((settle) => setImmediate(settle))
      open--
      return { answer: "session" }
    },
  })
  expect([asked.length, most]).toEqual([1, 1])
})

test("a question says that a command runs hooks, and which characters only look like others", async () => {
  const at = setting()
  const calls = [
    bash("git commit -m x"),
    bash("(git push)"),
    bash("git -c core.pager=sh log"),
    bash("g\u0456t status"),
    write("c\u0430t.txt"),
    bash("git status"),
  ]
  const { asked } = await takeStep(at, scripted({ calls }), { mode: "default" })
  expect(asked.map(({ warnings }) => warnings)).toEqual([
    ["`git commit` runs the hooks of this repository, if it has any."],
    ["`git push` runs the hooks of this repository, if it has any."],
    ["With -c, git may run other programs."],
    ["It contains characters that look like others: \u0456 (U+0456) is not i."],
    ["It contains characters that look like others: \u0430 (U+0430) is not a."],
    [],
  ])
})

test("what a deny rule perhaps means is asked about, with the reason, and only exactly this can be allowed", async () => {
  const at = setting()
  const { asked } = await takeStep(at, scripted({ calls: [bash("git pu{s,}h")] }), {
    mode: "yolo",
    allow: ["Bash", "Bash(git *)"],
    deny: ["Bash(git push)"],
  })
  expect(asked.map(({ warnings, grants }) => [warnings, grants.map(({ id }) => id)])).toEqual([
    [["It may do what Bash(git push) forbids: that depends on what the shell makes of its words."], ["this"]],
  ])
})

test("a text that is not a rule is reported, and allows and denies nothing by accident", () => {
  const { policy, problems } = makePolicy({
    mode: "default",
    allow: ["Bash(git status", "Bash(a && b)", "*", ""],
    deny: ["no rule!"],
  })
  expect(policy).toEqual({ mode: "default", allow: [], deny: [], ask: [] })
  expect(problems).toHaveLength(5)
})

test("a policy cannot be changed by its holder", () => {
  const { policy } = makePolicy({ mode: "default" })
  expect(Object.isFrozen(policy)).toBe(true)
  expect(Object.isFrozen(policy.allow)).toBe(true)
  expect(makePolicy({ mode: "default" }).policy.allow).not.toBe(policy.allow)
})
