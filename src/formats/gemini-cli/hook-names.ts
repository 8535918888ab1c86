// Matches lines of Gemini CLI with its hooks, which get no ids, only the prompt's text, or a call's tool and input. The line has
// the same, and the time when the prompt was sent or the call ended.
import type { Json, JsonObject } from "../../model/json.ts"
import type { LineHookNames, WantedHooks } from "../port.ts"
import { inputDigest, readDigestName } from "../shared/digest-name.ts"
import { listField, parseLine, textField } from "../shared/json-line.ts"
import { partsOf } from "./message.ts"

/** Of the text as the hook gets it. */
export function promptDigest(text: string): string {
  return inputDigest({ prompt: text })
}

export function callDigest(tool: string, input: Json): string {
  return inputDigest({ tool, input })
}

const MESSAGE = Buffer.from('"type":"user"')
const CALLS = Buffer.from('"toolCalls":[')

/** Ignores lists of messages: each message in them was already on its own line. */
export function geminiHookNames(bytes: Buffer, wanted: WantedHooks): LineHookNames | undefined {
  if (!bytes.includes(MESSAGE) && !bytes.includes(CALLS)) return undefined
  const line = parseLine(bytes)
  if (line === undefined || textField(line, "id") === undefined) return undefined
  if (line.type === "user") {
    const prompt = wanted.lastTold(promptDigest(promptOf(line)), timeOf(line))
    return prompt === undefined ? undefined : { prompt, calls: [] }
  }
  const calls: string[] = []
  for (const call of callsIn(line)) {
    const name = wanted.lastTold(call.digest, call.until, calls)
    if (name !== undefined) calls.push(name)
  }
  return calls.length === 0 ? undefined : { calls }
}

/** The id, on the line of its answer, of the call that hooks know by this name. */
export function geminiHookCall(bytes: Buffer, name: string): string | undefined {
  const digest = readDigestName(name)?.digest
  return callsIn(parseLine(bytes)).find((call) => call.digest === digest)?.id
}

function callsIn(line: JsonObject | undefined): { id: string | undefined; digest: string; until: number }[] {
  return listField(line, "toolCalls").map((call) => ({
    id: textField(call, "id"),
    digest: callDigest(textField(call, "name") ?? "", argsOf(call)),
    until: timeOf(call),
  }))
}

function argsOf(call: Json): Json {
  return (call as JsonObject).args ?? {}
}

/** Its texts joined, as the hook gets them, without what other hooks added. */
function promptOf(line: JsonObject): string {
  const texts = partsOf(line).flatMap((part) => (part.type === "text" ? [part.text] : []))
  return texts.filter((text) => !text.startsWith("<hook_context>")).join("")
}

function timeOf(value: Json): number {
  return Date.parse(textField(value, "timestamp") ?? "")
}
