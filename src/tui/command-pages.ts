// What /help and /cost print.
import { clip, pad, widthOf } from "../model/text/width.ts"
import { wrap } from "../model/text/wrap.ts"
import type { App } from "./app.ts"
import type { Command } from "./commands.ts"
import { KEY_ACTIONS, KEYS } from "./key-map.ts"

const OTHER_KEYS = [
  ["enter", "send; while the agent works: say something in between"],
  ["shift+enter", "a new line (also ctrl+j, or \\ and enter)"],
  ["ctrl+-", "undo in the editor"],
  ["up, down", "what you typed before"],
  ["@", "name a file"],
  ["!", "run a command yourself"],
] as const

export function helpLines(app: App, commands: readonly Command[], width: number): string[] {
  const { theme } = app
  const wide = width >= WIDE ? LEFT : NARROW
  const row = (left: string, right: string): string[] => {
    const [first = "", ...rest] = wrap(right, Math.max(10, width - wide - 3))
    const indent = " ".repeat(wide + 3)
    const more = rest.map((line) => indent + line)
    if (widthOf(left) > wide) return [`  ${theme.key(left)}`, indent + first, ...more]
    return [`  ${theme.key(pad(left, wide))} ${first}`, ...more]
  }
  const listed = commands.flatMap(({ name, hint, about }) => row(`/${name}${hint === "" ? "" : ` ${hint}`}`, about))
  const own = KEY_ACTIONS.flatMap((action) => row(app.keys[action].join(", "), KEYS[action].about))
  const others = OTHER_KEYS.flatMap(([key, about]) => row(key, about))
  return [theme.strong("Commands"), ...listed, "", theme.strong("Keys"), ...own, ...others]
}

/** Columns for names, on a wide screen and on a narrow one. */
const LEFT = 28
const NARROW = 16
const WIDE = 76

export function costLines(app: App, width: number): string[] {
  const { totals, context } = app.view.status()
  const number = (tokens: number) => tokens.toLocaleString("en-US")
  const rows = [
    ["read by the model", number(totals.input)],
    ["from its cache", number(totals.cacheRead)],
    ["into its cache", number(totals.cacheWrite)],
    ["written by the model", number(totals.output)],
    ["saved by backtracking", number(totals.saved)],
    [
      "in the context now",
      `${number(context.used)}${context.window === undefined ? "" : ` of ${number(context.window)}`}`,
    ],
    ["cost", totals.cost === undefined ? "not known" : `$${totals.cost.toFixed(4)}`],
  ] as const
  const { theme } = app
  return [
    theme.strong("Tokens since this session was opened"),
    ...rows.map(([what, value]) => clip(`  ${pad(what, 22)} ${value}`, width)),
  ]
}
