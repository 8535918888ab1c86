// Runs another agent's own program on this terminal, until the person leaves it.
import { spawn } from "node:child_process"
import { statSync } from "node:fs"
import { RetconError } from "../../model/failure/retcon-error.ts"
import { findProgram } from "../../programs/find-program.ts"

type Env = Readonly<Record<string, string | undefined>>

/**
 * In the person's environment, including the keys that the agent would have in their shell. Contract: the terminal
 * belongs to the program until it ends. Throws `invalid` if it cannot be started.
 */
export async function runAgentProgram(env: Env, command: readonly string[], cwd: string): Promise<void> {
  const [name = "", ...words] = command
  const program = findProgram(name, { path: env.PATH, workspace: cwd })
  if (program === undefined)
    throw cannot(`There is no program called ${name}.`, "Install it, or continue here: type a prompt.")
  if (statSync(cwd, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw cannot(`The folder of this session is gone: ${cwd}`, "Continue here: type a prompt.")
  await new Promise<void>((settle, refuse) => {
    const child = spawn(program, words, { cwd, stdio: "inherit", env })
    child.on("error", ({ message }) =>
      refuse(cannot(`${name} could not be started: ${message}`, "Continue here: type a prompt.")),
    )
    child.on("exit", () => settle())
  })
}

function cannot(problem: string, advice: string): RetconError {
  return new RetconError({ code: "invalid", problem, advice })
}
