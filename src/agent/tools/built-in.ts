// The tools that come with retcon. What needs a session is passed in; if it is not, the tool is not offered.
import type { Tool } from "../port/tool.ts"
import type { Jobs } from "../process/jobs.ts"
import type { CommandSandbox } from "../sandbox/port.ts"
import { backtrackTool, type NamedCheckpoint } from "./backtrack.ts"
import { bashTool } from "./bash.ts"
import { bashOutputTool } from "./bash-output.ts"
import { editTool } from "./edit.ts"
import { globTool } from "./glob.ts"
import { grepTool } from "./grep.ts"
import { readTool } from "./read.ts"
import { type RunTask, taskTool } from "./task.ts"
import { todoTool } from "./todo.ts"
import { writeTool } from "./write.ts"

export interface BuiltInDeps {
  jobs: Jobs
  /** Without it there is no Task. */
  runTask?: RunTask
  /** The checkpoints that can be named now. Without it there is no Backtrack. */
  checkpoints?: () => readonly NamedCheckpoint[]
  /** Without it commands see the machine as it is. */
  sandbox?: CommandSandbox
}

/** Contract: the same parts give the same tools in the same order, so that the model's prompt cache stays valid. */
export function builtInTools({ jobs, runTask, checkpoints, sandbox }: BuiltInDeps): Tool[] {
  const tools = [
    readTool,
    writeTool,
    editTool,
    bashTool(jobs, sandbox),
    bashOutputTool(jobs),
    globTool,
    grepTool,
    todoTool,
    ...(runTask === undefined ? [] : [taskTool(runTask)]),
    ...(checkpoints === undefined ? [] : [backtrackTool(checkpoints)]),
  ]
  return tools
}
