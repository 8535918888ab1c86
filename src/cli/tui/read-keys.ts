// The setting `keys` of retcon's own config.json.
import { readConfig } from "../../app/config/config-file.ts"
import { configFile } from "../../app/config/home.ts"
import { isObject, parseJson } from "../../model/json.ts"
import { type Keys, parseKeys } from "../../tui/terminal/key-map.ts"

export function readKeys(home: string): { keys: Partial<Keys>; notices: string[] } {
  const file = configFile(home)
  const text = readConfig(file)
  const json = text === undefined ? undefined : parseJson(text)
  const setting = json?.ok === true && isObject(json.value) ? json.value.keys : undefined
  const { keys, problems } = parseKeys(setting)
  return { keys, notices: problems.map((problem) => `${file}: ${problem}`) }
}
