// One event of another agent, with our hook: the built program around an edit, compared with a Node that does nothing.
import { spawnSync } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { answer, given } from "../../child.ts"
import { interleave, type Repeats, timed } from "../../timing.ts"

const { folder, hook, samples, warmUp } = given() as { folder: string; hook: string } & Repeats
const project = join(folder, "project")
mkdirSync(join(project, ".git"), { recursive: true })
for (let n = 0; n < 1000; n++) {
  mkdirSync(join(project, `d${n % 20}`), { recursive: true })
  writeFileSync(join(project, `d${n % 20}`, `${n}.txt`), `${n}\n`)
}
const nothing = join(folder, "nothing.mjs")
writeFileSync(nothing, "")
const env = { PATH: process.env.PATH, HOME: folder, RETCON_HOME: join(folder, "home") }
const about = { session_id: "7aaef370-c7b1-4fb3-acc5-b922e1583b82", cwd: project, prompt_id: "p" }

function run(file: string, input: object): number {
  return timed(() => {
    const { status } = spawnSync(process.execPath, [file, "claude-code"], { env, input: JSON.stringify(input) })
    if (status !== 0) throw new Error(`${file} ended with ${status}`)
  })
}

run(hook, { ...about, hook_event_name: "UserPromptSubmit" })
let call = 0
const edit = () => ({
  tool_name: "Edit",
  tool_use_id: `t${call++}`,
  tool_input: { file_path: join(project, "d1/1.txt") },
})
const floor = () => run(nothing, {})
const ours = () => run(hook, { ...about, hook_event_name: "PreToolUse", ...edit() })
answer(await interleave(floor, ours, { samples, warmUp }))
