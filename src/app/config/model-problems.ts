// Numbers in config.json about models that make no sense: they are not used, and the person is told.

import { isObject, type Json, type JsonObject } from "../../model/json.ts"

const TOKENS = "a number of tokens above 0"
const SHARE = "a number above 0 and at most 1"

type Check = readonly [name: string, value: Json | undefined, isRight: (value: Json) => boolean, must: string]

/** A sentence for each. `file` names the file. */
export function modelProblems(file: string, own: JsonObject): string[] {
  const models = Object.entries(isObject(own.models) ? own.models : {})
  const facts = models.flatMap(([name, value]): Check[] => {
    if (!isObject(value)) return [[`models.${name}`, value, isObject, "an object"]]
    return (["window", "maxOutput"] as const).map((key) => [`models.${name}.${key}`, value[key], isPositive, TOKENS])
  })
  const { ratio, smallReserve, keepRounds } = isObject(own.compaction) ? own.compaction : {}
  const checks: Check[] = [
    ...facts,
    ["compaction.ratio", ratio, isShare, SHARE],
    ["compaction.smallReserve", smallReserve, isShare, SHARE],
    ["compaction.keepRounds", keepRounds, isCount, "a whole number"],
  ]
  return checks.flatMap(([name, value, isRight, must]) =>
    value === undefined || isRight(value) ? [] : [`${file}: "${name}" is not used: it must be ${must}.`],
  )
}

function isPositive(value: Json): boolean {
  return typeof value === "number" && value > 0
}

function isShare(value: Json): boolean {
  return typeof value === "number" && value > 0 && value <= 1
}

function isCount(value: Json): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0
}
