// Builds what a command gets from the real machine: environment, home, working directory, clock, standard streams.
import { readFileSync, realpathSync } from "node:fs"
import { homedir } from "node:os"
import { configFile, homeFolder } from "../app/config/home.ts"
import { readSettings, type Settings } from "../app/config/settings.ts"
import { everyAgentsStore } from "../foreign/agents-store.ts"
import { RetconError } from "../model/failure/retcon-error.ts"
import { systemOptions } from "../session/state/system.ts"
import { errno, fail } from "../store/file/disk/problems.ts"
import type { Cli, Output } from "./port/cli.ts"
import { processDeps } from "./process/process-deps.ts"
import { inputOn } from "./process/standard-input.ts"
import { wantsColours } from "./process/terminal.ts"
import type { Globals } from "./program.ts"

export function startCli(globals: Globals, outputs: { out: Output; err: Output }, version: string): Cli {
  // A copy, because keys are removed from the process's own environment when an agent starts.
  const env = { ...process.env }
  const home = homeFolder(env, process.platform, homedir())
  const settings = loadSettings(configFile(home), outputs.err)
  const coloured = (output: Output): Output =>
    Object.defineProperty(output, "colours", {
      get: () => wantsColours(output.isTerminal, env, { flag: globals.color, setting: settings.colour }),
    })
  const err = coloured(outputs.err)
  return {
    home,
    cwd: workingDirectory(),
    store: everyAgentsStore({ home, person: { home: homedir(), env } }),
    sessionOptions: { ...systemOptions(), durability: settings.durability, via: "command-line" },
    settings: globals.pager === false ? { ...settings, pager: "never" } : settings,
    made: { name: "retcon", version },
    now: () => Date.now(),
    in: inputOn(() => process.stdin, err),
    out: coloured(outputs.out),
    err,
    env,
    ...processDeps(err),
  }
}

function loadSettings(file: string, err: Output): Settings {
  const { settings, problems } = readSettings(readIfThere(file))
  for (const problem of problems) err.write(`retcon: ${file} has a problem: ${problem}. retcon uses the default.\n`)
  return settings
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8")
  } catch (error) {
    return errno(error) === "ENOENT" ? undefined : fail(error, file)
  }
}

function workingDirectory(): string {
  try {
    return realpathSync(process.cwd())
  } catch (error) {
    throw new RetconError({ code: "vanished", path: process.env.PWD || "The working directory" }, { cause: error })
  }
}
