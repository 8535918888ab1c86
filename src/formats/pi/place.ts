// Where pi keeps sessions.
import { isAbsolute, join } from "node:path"
import { parseJson } from "../../model/json.ts"
import type { AgentHomes } from "../port.ts"
import { textField } from "../shared/json-line.ts"
import { readHead } from "../shared/read-head.ts"

/** A folder with a folder per project or, if a person configured it, one with the sessions themselves. */
export function sessionFolders({ home, env }: AgentHomes): { projects: string; flat: string | undefined } {
  const agent = variable(env.PI_CODING_AGENT_DIR, home) ?? join(home, ".pi", "agent")
  const flat = variable(env.PI_CODING_AGENT_SESSION_DIR, home) ?? variable(settingOf(agent), home)
  return { projects: join(agent, "sessions"), flat: flat !== undefined && isAbsolute(flat) ? flat : undefined }
}

/** The folder that a person's settings name. */
function settingOf(agent: string): string | undefined {
  const parsed = parseJson(readHead(join(agent, "settings.json")).toString("utf8"))
  return parsed.ok ? textField(parsed.value, "sessionDir") : undefined
}

/** As pi reads them: an empty variable counts as unset, and `~` is the home folder. */
function variable(value: string | undefined, home: string): string | undefined {
  if (value === undefined || value === "") return undefined
  return value === "~" || value.startsWith("~/") ? join(home, value.slice(1)) : value
}

/** The folder of a project: its path with `-` as the separator. */
export function projectFolder(projects: string, cwd: string): string {
  return join(projects, `--${cwd.replace(/^[/\\]/, "").replaceAll(/[/\\:]/g, "-")}--`)
}
