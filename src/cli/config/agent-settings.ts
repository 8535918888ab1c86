// Settings of the agent that `retcon config` shows and changes: which model, and whether this directory is trusted.
import { sandboxWrite } from "../../app/config/agent-config.ts"
import { changeConfig } from "../../app/config/config-file.ts"
import { answerTrust, ownConfig, readFolderConfig, WORKSPACE_FILE } from "../../app/config/folder-trust.ts"
import { checkModelName } from "../../app/setup/model-names.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import type { Cli } from "../port/cli.ts"
import { toTrust } from "./ask-for-trust.ts"

interface AgentSetting {
  about: string
  /** The possible values of the key, in words. */
  values: string
  show(cli: Cli): string
  /** Undefined: as if it had never been set. Throws RetconError `invalid` and changes nothing. */
  set(cli: Cli, value: string | undefined): void
}

export const AGENT_SETTINGS = {
  model: {
    about: "the model; auto: the first with a key, a local Ollama, or practice",
    values: "auto, PROVIDER/NAME or a PROVIDER",
    show(cli) {
      const { model } = ownConfig(cli.home)
      return typeof model === "string" && model !== "" ? model : "auto"
    },
    set(cli, value) {
      const wanted = value === "auto" ? undefined : value
      if (wanted !== undefined) checkModelName(cli, wanted)
      changeConfig(cli.home, (raw) => {
        const { model: _, ...others } = raw
        return wanted === undefined ? others : { ...others, model: wanted }
      })
    },
  },
  "sandbox.write": {
    about: "where sandboxed commands may write, besides the workspace; caches: of package managers and compilers",
    values: "folders, separated by commas; caches among them",
    show: (cli) => sandboxWrite(ownConfig(cli.home)).join(",") || "none",
    set(cli, value) {
      const folders = value?.split(",").flatMap((each) => each.trim() || [])
      const wrong = folders?.find((folder) => !/^(~?\/|caches$)/.test(folder))
      if (wrong !== undefined && value !== "none") {
        const problem = `"${wrong}" is not an absolute path.`
        throw new RetconError({
          code: "invalid",
          problem,
          advice: "Use /FOLDER, ~/FOLDER and caches, separated by commas, or none.",
        })
      }
      changeConfig(cli.home, (raw) => {
        const { "sandbox.write": _, ...others } = raw
        return folders === undefined ? others : { ...others, "sandbox.write": value === "none" ? [] : folders }
      })
    },
  },
  trust: {
    about: "whether to use this folder's .retcon.json (MCP servers, rules, model), its skills and commands",
    values: "yes or no",
    show(cli) {
      const asked = toTrust(cli)
      if (asked?.trusted === true) return "yes"
      return asked?.undecided === true ? "not decided" : "no"
    },
    set(cli, value) {
      if (value !== undefined && value !== "yes" && value !== "no") {
        throw new RetconError({
          code: "invalid",
          problem: `"${value}" is not a valid value for trust.`,
          advice: "Use yes or no.",
        })
      }
      const { config, problem: broken, hash } = readFolderConfig(cli.cwd, ownConfig(cli.home))
      const asked = toTrust(cli)
      if (value === "yes" && ((asked ?? config) === undefined || broken !== undefined)) {
        const advice = `Write a JSON object with mcp, allow, deny or model into ${WORKSPACE_FILE}, or add skills or commands.`
        const problem =
          broken === undefined ? "This folder has no configuration." : `${WORKSPACE_FILE} cannot be used: ${broken}.`
        throw new RetconError({ code: "invalid", problem, advice })
      }
      if (value === "yes" && asked !== undefined) {
        const uses = [
          ...(asked.shown.config === undefined ? [] : [WORKSPACE_FILE]),
          ...(asked.shown.files === undefined ? [] : ["the skills and commands of this folder"]),
        ]
        cli.err.write(`retcon uses ${uses.join(" and ")} from now on, until something in it changes:\n`)
        for (const line of asked.lines(cli.err.width)) cli.err.write(`${line}\n`)
      }
      answerTrust(cli.home, cli.cwd, asked?.shown ?? { config: hash }, value)
    },
  },
} as const satisfies Record<string, AgentSetting>

export type AgentKey = keyof typeof AGENT_SETTINGS

export const AGENT_KEYS = Object.keys(AGENT_SETTINGS) as AgentKey[]

export function parseAgentKey(name: string): AgentKey | undefined {
  return AGENT_KEYS.find((key) => key === name)
}
