import { expect, test } from "vitest"
import { isCommandAllowed } from "../../../src/agent/permission/allow-command.ts"
import { allowProblems, RULE_TOOLS, ruleProblems } from "../../../src/agent/permission/rule-problems.ts"
import { builtInTools } from "../../../src/agent/tools/built-in.ts"
import { setting } from "../setting.ts"

test.each([
  ["bash(ls)", "the tool is called Bash."],
  ["Wrte", "there is no tool Wrte."],
  ["Bash(git * push)", "it may contain one command"],
  ["Bash(", "its closing bracket is missing."],
  ["Bash(a && b)", "it may contain one command"],
  ["Write(src/)", "For all files of that folder: Write(src/**)"],
  ["Todo(x)", "calls of Todo have no paths."],
  ["mcp__x__y(z)", "rules for MCP tools have no pattern."],
  ["no rule!", "a rule is a tool"],
])("%s never applies, and the reason is given", (rule, words) => {
  expect(ruleProblems([rule])).toEqual([expect.stringContaining(`The rule ${rule} never applies: `)])
  expect(ruleProblems([rule])[0]).toContain(words)
})

test.each(["Bash", "Bash(npm test *)", "Bash(=a && b)", "Write(src/**)", "Read(~/x)", "mcp__x", 'mcp__x__y(={"a":1})'])(
  "%s is a rule",
  (rule) => expect(ruleProblems([rule])).toEqual([]),
)

test.each(["npm run", "make", "docker", "git fetch", "/usr/bin/python3"])(
  "Bash(%s) does not allow what follows it, and the rules that would are named",
  (command) => {
    const [problem, ...others] = allowProblems([`Bash(${command})`])
    expect([problem, others]).toEqual([expect.stringContaining(`allows \`${command}\` alone`), []])
    const named = problem?.match(/Bash\([^)]*\)/g) ?? []
    expect(named).toEqual(
      [`(${command})`, `(${command} build)`, `(${command} *)`, `(=${command})`].map((x) => `Bash${x}`),
    )
    const allowed = named.map((rule) => isCommandAllowed(`${command} build`, [rule.slice(5, -1)]))
    expect(allowed).toEqual([false, true, true, false])
    expect(allowProblems(named.slice(1))).toEqual([])
  },
)

test.each(["Bash(npm test)", "Bash(git log)", "Bash(npm run build)", "Bash(cargo test *)", "Write"])(
  "%s allows what it seems to",
  (rule) => expect(allowProblems([rule])).toEqual([]),
)

test("every tool that comes with retcon can be named", () => {
  const { jobs } = setting()
  const tools = builtInTools({ jobs, checkpoints: () => [], runTask: async () => ({ output: "" }) })
  expect(tools.map(({ name }) => name).toSorted()).toEqual(RULE_TOOLS.toSorted())
})
