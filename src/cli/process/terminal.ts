// How wide the output is, and whether it has colours.
import type { Output } from "../port/cli.ts"

type Env = Readonly<Record<string, string | undefined>>

export type ColourChoice = "auto" | "always" | "never"

/** Contract: a flag wins over NO_COLOR and FORCE_COLOR, those over the setting; `auto`: colours on a terminal. */
export function wantsColours(
  isTerminal: boolean,
  env: Env,
  choice: { flag?: ColourChoice | undefined; setting?: ColourChoice },
): boolean {
  if (choice.flag === "always") return true
  if (choice.flag === "never") return false
  if (choice.flag === undefined) {
    if (isSet(env.NO_COLOR)) return false
    if (isSet(env.FORCE_COLOR)) return env.FORCE_COLOR !== "0" && env.FORCE_COLOR !== "false"
    if (choice.setting === "always") return true
    if (choice.setting === "never") return false
  }
  return isTerminal && env.TERM !== "dumb"
}

const DEFAULT_WIDTH = 80

export function terminalColumns(columns: number | undefined, env: Env): number {
  if (columns !== undefined && columns > 0) return columns
  const asked = Number(env.COLUMNS)
  return Number.isSafeInteger(asked) && asked > 0 ? asked : DEFAULT_WIDTH
}

interface Stream {
  write(text: string | Uint8Array): unknown
  isTTY?: boolean
  columns?: number
  rows?: number
}

/** `open`: called when the stream is first used, because Node takes up to 3 ms to open one. */
export function outputOn(open: () => Stream, env: Env): Output {
  let opened: Stream | undefined
  const stream = () => (opened ??= open())
  return {
    write: (text) => void stream().write(text),
    get isTerminal() {
      return stream().isTTY === true
    },
    get width() {
      return terminalColumns(stream().columns, env)
    },
    get height() {
      return stream().rows
    },
    get colours() {
      return wantsColours(stream().isTTY === true, env, {})
    },
  }
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== ""
}
