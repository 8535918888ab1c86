// What /help prints, and the command names in it.

export const HELP = `Type a prompt and press Enter. A line that ends with a backslash continues on the next one.
/back [n], /undo [n], /redo [n]: move in time. /goto ENTRY: to an id, a label or @N.
With files: --files restore, --keep PATH, --only-certain; where both changed the same lines: --ours, --theirs, --write-conflicts.
/tree, /branches, /prompts, /rewind: list what there is. /restore [entry] [path]: files as they were. /diff [entry]. /split [entry].
/new, /resume [id]: other sessions. /title, /label, /export [file], /cost, /doctor. /omit ENTRY: continue without it.
/stop: stop the agent; what it has not received yet comes back, and /send sends it.
/compact [FOCUS]: summarise, to make room. /model NAME, /think LEVEL, /mode NAME. /allow [RULE], /allow revoke N.
!COMMAND runs a command. /quit quits.`

/** Everything that can be typed after a slash. */
export const COMMAND_NAMES = [...HELP.matchAll(/\/([a-z]+)/g)].flatMap(([, name]) => (name === undefined ? [] : [name]))
