import { expect, test } from "vitest"
import { RULE_TOOLS, ruleProblems } from "../../../src/agent/permission/rule-problems.ts"
import { builtInTools } from "../../../src/agent/tools/built-in.ts"
import { setting } from "../setting.ts"

test.each([
  ["bash(ls)", "the tool is called Bash."],
  ["Wrte", "there is no tool Wrte."],
  ["Bash(git * push)", "one command may stand in it"],
  ["Bash(a && b)", "one command may stand in it"],
  ["Write(src/)", "For all files of that folder: Write(src/**)"],
  ["Todo(x)", "calls of Todo have no paths."],
  ["mcp__x__y(z)", "rules for MCP tools have no pattern."],
  ["no rule!", "a rule is a tool"],
])("%s never applies, and it is said why", (rule, words) => {
  expect(ruleProblems([rule])).toEqual([expect.stringContaining(`The rule ${rule} never applies: `)])
  expect(ruleProblems([rule])[0]).toContain(words)
})

test.each(["Bash", "Bash(npm test *)", "Bash(=a && b)", "Write(src/**)", "Read(~/x)", "mcp__x", 'mcp__x__y(={"a":1})'])(
  "%s is a rule",
  (rule) => expect(ruleProblems([rule])).toEqual([]),
)

test("every tool that comes with retcon can be named", () => {
  const { jobs } = setting()
  const tools = builtInTools({ jobs, checkpoints: () => [], runTask: async () => ({ output: "" }) })
  expect(tools.map(({ name }) => name).toSorted()).toEqual(RULE_TOOLS.toSorted())
})
