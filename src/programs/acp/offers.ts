// What an agent lets a person choose. Older agents list modes and models, newer ones options with a category; some do both.
import { isObject, type Json, type JsonObject } from "../../model/json.ts"
import type { AgentChoice, OfferedChoice, OfferedCommand, Offers } from "../../model/offers.ts"
import { textOf } from "./updates.ts"

/** The request that chooses a value, without the session. */
export interface ChooseRequest {
  method: string
  params: JsonObject
}

const CATEGORIES: Readonly<Record<string, AgentChoice>> = { mode: "mode", model: "model", thought_level: "effort" }

export class AcpOffers {
  readonly now: Offers
  /** The option that each choice belongs to. */
  readonly #options = new Map<AgentChoice, string>()

  constructor(capabilities: JsonObject) {
    const prompt = isObject(capabilities.promptCapabilities) ? capabilities.promptCapabilities : {}
    const [images, files] = [prompt.image === true, prompt.embeddedContext === true]
    this.now = { images, files, steer: false, modes: [], models: [], efforts: [], commands: [] }
  }

  /** Takes the answer to a request that opens a session or sets an option. */
  take({ modes, models, configOptions }: JsonObject): void {
    if (isObject(modes)) {
      this.now.modes = choices(modes.availableModes, "id")
      this.#set("mode", modes.currentModeId)
    }
    if (isObject(models)) {
      this.now.models = choices(models.availableModels, "modelId")
      this.#set("model", models.currentModelId)
    }
    for (const option of listOf(configOptions)) {
      const category = textOf(option.category) || textOf(option.id)
      const what = Object.hasOwn(CATEGORIES, category) ? CATEGORIES[category] : undefined
      if (what === undefined || !Array.isArray(option.options)) continue
      this.#options.set(what, textOf(option.id))
      this.now[LISTS[what]] = choices(ungrouped(option.options), "value")
      this.#set(what, option.currentValue)
    }
  }

  /** Takes an update; undefined if it is about something else. */
  update(update: JsonObject): "commands" | "settings" | undefined {
    switch (textOf(update.sessionUpdate)) {
      case "available_commands_update":
        this.now.commands = commandsIn(update.availableCommands)
        return "commands"
      case "current_mode_update":
        this.#set("mode", update.currentModeId)
        return "settings"
      case "config_option_update":
        this.take(update)
        return "settings"
      default:
        return undefined
    }
  }

  request(what: AgentChoice, value: string): ChooseRequest | undefined {
    const configId = this.#options.get(what)
    if (configId !== undefined) return { method: "session/set_config_option", params: { configId, value } }
    if (what === "mode") return { method: "session/set_mode", params: { modeId: value } }
    if (what === "model") return { method: "session/set_model", params: { modelId: value } }
    return undefined
  }

  /** The agent has accepted it. */
  chose(what: AgentChoice, value: string): void {
    this.#set(what, value)
  }

  #set(what: AgentChoice, value: Json | undefined): void {
    if (typeof value === "string") this.now[what] = value
  }
}

const LISTS = { mode: "modes", model: "models", effort: "efforts" } as const

function choices(list: Json | undefined, key: string): OfferedChoice[] {
  return listOf(list).map((each) => {
    const id = textOf(each[key])
    const about = textOf(each.description)
    return { id, name: textOf(each.name) || id, ...(about !== "" && { about }) }
  })
}

/** Options may be in groups. */
function ungrouped(options: readonly Json[]): Json[] {
  return options.flatMap((each) => (isObject(each) && Array.isArray(each.options) ? each.options : [each]))
}

function commandsIn(list: Json | undefined): OfferedCommand[] {
  return listOf(list).map(({ name, description, input }) => {
    const hint = isObject(input) ? textOf(input.hint) : ""
    return { name: textOf(name).replace(/^\//, ""), about: textOf(description), ...(hint !== "" && { hint }) }
  })
}

function listOf(list: Json | undefined): JsonObject[] {
  return Array.isArray(list) ? list.filter(isObject) : []
}
