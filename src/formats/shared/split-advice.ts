// What works where an agent cannot continue its session from another entry.

/** The command or button that a front end prints says which session and entry: see `foreign/log/move-head.ts`. */
export const SPLIT_ADVICE = ["Start a new session from there with: ", { do: "split" }] as const
