// retcon config [KEY [VALUE]]: retcon's own settings, in config.json of its home.
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { RetconError } from "../../model/failure.ts"
import { ensureFolder, errno, fail } from "../../store/file/problems.ts"
import type { Cli } from "../cli.ts"
import { UsageError } from "../errors.ts"
import { configFile } from "../home.ts"
import { printJson } from "../print-json.ts"
import {
  defaultSettings,
  parseSetting,
  parseSettingKey,
  readSettings,
  SETTING_KEYS,
  SETTINGS,
  type SettingKey,
} from "../settings.ts"

interface ConfigOptions {
  key?: string
  value?: string
  unset?: boolean
  json?: boolean
}

export async function run(cli: Cli, options: ConfigOptions): Promise<void> {
  if (options.key === undefined) {
    if (options.unset === true) throw new UsageError("--unset needs a key.", `Possible: ${SETTING_KEYS.join(", ")}.`)
    if (options.json === true) printJson(cli.out, cli.settings)
    else showAll(cli)
    return
  }
  const key = parseSettingKey(options.key)
  if (key === undefined) {
    throw new RetconError({ code: "not-found", what: "key", name: options.key, possible: SETTING_KEYS })
  }
  if (options.unset === true && options.value !== undefined) {
    throw new UsageError("--unset takes no value.", `Use: retcon config ${key} --unset`)
  }
  if (options.unset === true || options.value !== undefined) change(cli, key, options.value)
  const value = options.unset === true ? defaultSettings()[key] : (options.value ?? cli.settings[key])
  if (options.json === true) printJson(cli.out, { key, value, values: SETTINGS[key].values })
  else cli.out.write(`${value}\n`)
}

function showAll(cli: Cli): void {
  const width = Math.max(...SETTING_KEYS.map((key) => key.length))
  for (const key of SETTING_KEYS) {
    cli.out.write(`${key.padEnd(width)}  ${cli.settings[key].padEnd(7)}  ${SETTINGS[key].about}\n`)
  }
}

/** Contract: other keys of the file stay, also those of a newer version. The file is replaced as a whole. */
function change(cli: Cli, key: SettingKey, value: string | undefined): void {
  if (value !== undefined && parseSetting(key, value) === undefined) {
    const hint = `Use one of: ${SETTINGS[key].values.join(", ")}.`
    throw new RetconError({ code: "invalid", problem: `"${value}" is no value of ${key}.`, hint })
  }
  const file = configFile(cli.home)
  const { raw, problems } = readSettings(readConfig(file))
  if (raw === undefined) {
    const problem = `${file} cannot be changed: ${problems.join(", ")}.`
    throw new RetconError({ code: "invalid", problem, hint: "Mend it or move it away. Nothing was changed." })
  }
  const { [key]: _, ...others } = raw
  const next = value === undefined ? others : { ...others, [key]: value }
  ensureFolder(cli.home)
  const temporary = `${file}.${process.pid}.tmp`
  try {
    writeFileSync(temporary, `${JSON.stringify(next, undefined, 2)}\n`, { mode: 0o600 })
    renameSync(temporary, file)
  } catch (error) {
    rmSync(temporary, { force: true })
    fail(error, file)
  }
}

function readConfig(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8")
  } catch (error) {
    return errno(error) === "ENOENT" ? undefined : fail(error, file)
  }
}
