// The person's own editor, on a file that only they can read.
import { spawn } from "node:child_process"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { RetconError } from "../../model/failure/retcon-error.ts"
import { trustedPath } from "../../programs/find-program.ts"

type Env = Readonly<Record<string, string | undefined>>

/** Contract: the terminal belongs to the editor until it ends. Undefined if it failed: nothing changes. */
export async function editText(env: Env, cwd: string, text: string): Promise<string | undefined> {
  const editor = [env.VISUAL, env.EDITOR].find((name) => name !== undefined && name !== "") ?? "vi"
  const folder = await mkdtemp(join(tmpdir(), "retcon-"))
  const file = join(folder, "prompt.md")
  try {
    await writeFile(file, text, { mode: 0o600 })
    return (await ran(editor, file, { ...env, PATH: trustedPath({ path: env.PATH, workspace: cwd }) })) === 0
      ? await readFile(file, "utf8")
      : undefined
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** EDITOR may contain arguments (`code --wait`): the shell reads it, as in git. */
function ran(editor: string, file: string, env: Env): Promise<number | null> {
  return new Promise((settle, refuse) => {
    const child = spawn("/bin/sh", ["-c", `${editor} "$1"`, editor, file], { stdio: "inherit", env })
    child.on("error", (error) => refuse(new RetconError({ code: "io", path: editor, problem: error.message })))
    child.on("exit", (code) => settle(code))
  })
}
