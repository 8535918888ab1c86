// What /help and /cost print.
import { clip, pad } from "../model/text/width.ts"
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
  const row = (left: string, right: string) => `  ${theme.key(pad(left, LEFT))} ${clip(right, width - LEFT - 3)}`
  const listed = commands.map(({ name, hint, about }) => row(`/${name}${hint === "" ? "" : ` ${hint}`}`, about))
  const own = KEY_ACTIONS.map((action) => row(app.keys[action].join(", "), KEYS[action].about))
  const others = OTHER_KEYS.map(([key, about]) => row(key, about))
  return [theme.strong("Commands"), ...listed, "", theme.strong("Keys"), ...own, ...others]
}

const LEFT = 24

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
