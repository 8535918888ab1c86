// A setting whose commands run in a real sandbox; where this machine has none, such tests are skipped and say so.
import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs"
import { basename, join } from "node:path"
import { onTestFinished } from "vitest"
import type { ToolContext, ToolResult } from "../../../src/agent/port/tool.ts"
import type { SandboxSettings } from "../../../src/agent/sandbox/port.ts"
import { makeSandbox, type Sandbox, type SandboxOptions } from "../../../src/agent/sandbox/sandbox.ts"
import { bashTool } from "../../../src/agent/tools/bash.ts"
import { runTool, type Setting, setting, temporaryFolder } from "../setting.ts"

const PROGRAMS = [
  { by: "bubblewrap", program: "/usr/bin/bwrap", words: ["--ro-bind", "/", "/", "--unshare-pid", "--proc", "/proc"] },
  { by: "namespaces", program: "/usr/bin/unshare", words: ["--user", "--map-root-user", "--mount", "--pid", "--fork"] },
]

/** Which of them this machine lets us use: many containers allow none. */
export const SANDBOXES = PROGRAMS.filter(({ program, words }) => spawnSync(program, [...words, "true"]).status === 0)
if (SANDBOXES.length < PROGRAMS.length)
  console.warn("Some tests of the sandbox are skipped: they need bwrap and unshare.")

/** A folder to look for programs in that has only this one. */
export function onlyWith(by: string): string {
  const [folder, program] = [temporaryFolder(), PROGRAMS.find((each) => each.by === by)?.program ?? ""]
  symlinkSync(program, join(folder, basename(program)))
  return folder
}

export const SETTINGS: SandboxSettings = { use: "on", network: "on", write: [] }

export interface Confined extends Setting {
  sandbox: Sandbox
  /** retcon's own. */
  home: string
  /** A folder outside of the workspace. */
  outside: string
  bash(command: string, context?: Partial<ToolContext>): Promise<ToolResult>
}

export function confined(settings: Partial<SandboxSettings> = {}, parts: Partial<SandboxOptions> = {}): Confined {
  const at = setting()
  // Not in /tmp, of which commands have one of their own.
  const outside = mkdtempSync("/var/tmp/retcon-sandbox-")
  onTestFinished(() => rmSync(outside, { recursive: true, force: true }))
  const home = join(outside, "retcon-home")
  mkdirSync(home)
  const sandbox = makeSandbox({
    settings: { ...SETTINGS, ...settings },
    mode: () => "yolo",
    root: at.root.folder,
    home,
    readable: [at.root.scratch],
    search: "/usr/bin:/bin:/usr/local/bin",
    ...parts,
  })
  onTestFinished(() => sandbox.close())
  return {
    ...at,
    sandbox,
    home,
    outside,
    bash: (command, context = {}) => runTool(at, bashTool(at.jobs, sandbox), { command }, context),
  }
}
