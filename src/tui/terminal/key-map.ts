// The keys that are not the editor's own, by what they do. The configuration can change each of them.

export const KEYS = {
  stop: { keys: ["escape"], about: "stop the agent; twice when idle: rewind list" },
  clear: { keys: ["ctrl+c"], about: "clear the editor, stop the agent; twice: quit" },
  quit: { keys: ["ctrl+d"], about: "quit, if the editor is empty" },
  suspend: { keys: ["ctrl+z"], about: "suspend to the shell; fg returns" },
  details: { keys: ["ctrl+o"], about: "show folded output in full" },
  tree: { keys: ["ctrl+t"], about: "show the tree of the session" },
  edit: { keys: ["ctrl+g"], about: "write the prompt in your own editor" },
  image: { keys: ["ctrl+v"], about: "paste an image" },
  mode: { keys: ["shift+tab"], about: "change what the agent may do without asking" },
  takeBack: { keys: ["alt+up"], about: "take back queued messages" },
  back: { keys: ["alt+left"], about: "go back a round, if you have typed nothing" },
  forward: { keys: ["alt+right"], about: "go forward again" },
  history: { keys: ["ctrl+r"], about: "search your prompts from all sessions here" },
  redraw: { keys: ["ctrl+l"], about: "redraw the screen" },
} as const satisfies Record<string, { keys: readonly string[]; about: string }>

export type KeyAction = keyof typeof KEYS
export type Keys = Record<KeyAction, readonly string[]>

export const KEY_ACTIONS = Object.keys(KEYS) as KeyAction[]

export function keyMap(changes: Partial<Keys> = {}): Keys {
  return Object.fromEntries(KEY_ACTIONS.map((action) => [action, changes[action] ?? KEYS[action].keys])) as Keys
}

const NAMED = "escape|enter|tab|space|backspace|delete|insert|home|end|pageUp|pageDown|up|down|left|right|f\\d{1,2}"
/** A key that types something needs ctrl or alt. */
const KEY_NAME = new RegExp(
  `^(?:(?:shift\\+)?(?:ctrl|alt|ctrl\\+alt)\\+(?:\\S|${NAMED})|shift\\+(?:${NAMED})|escape|insert|f\\d{1,2})$`,
)

/**
 * From the setting `keys`: an action and its key, or several. Contract: never fails; what cannot be used is named in
 * `problems`, with the key that stays; no two actions share a key.
 */
export function parseKeys(setting: unknown): { keys: Partial<Keys>; problems: string[] } {
  if (setting === undefined) return { keys: {}, problems: [] }
  if (typeof setting !== "object" || setting === null || Array.isArray(setting)) {
    return { keys: {}, problems: ['"keys" must be an object of actions and keys, such as {"tree": "ctrl+y"}'] }
  }
  const keys: Partial<Keys> = {}
  const problems: string[] = []
  for (const [name, value] of Object.entries(setting)) {
    const action = KEY_ACTIONS.find((each) => each === name)
    const wanted: unknown[] = Array.isArray(value) ? value : [value]
    const bad = wanted.find((key) => typeof key !== "string" || !KEY_NAME.test(key))
    if (action === undefined) problems.push(`"keys": there is no action "${name}" (${KEY_ACTIONS.join(", ")})`)
    else if (bad !== undefined || wanted.length === 0) {
      const shown = JSON.stringify(bad ?? value)
      problems.push(
        `"keys": ${shown} is not a key, such as ctrl+y, alt+t or f2; "${name}" stays ${KEYS[action].keys[0]}`,
      )
    } else keys[action] = wanted as string[]
  }
  return withoutClashes(keys, problems)
}

/** If two actions get the same key, the configured one (of two, the later) falls back to its default keys. */
function withoutClashes(keys: Partial<Keys>, problems: readonly string[]): { keys: Partial<Keys>; problems: string[] } {
  const clash = firstClash(keyMap(keys))
  if (clash === undefined) return { keys, problems: [...problems] }
  const [first, second, key] = clash
  const [holds, yields] = keys[second] === undefined ? [second, first] : [first, second]
  const { [yields]: _, ...others } = keys
  const problem = `"keys": ${key} belongs to "${holds}"; "${yields}" stays ${KEYS[yields].keys[0]}`
  return withoutClashes(others, [...problems, problem])
}

function firstClash(keys: Keys): [KeyAction, KeyAction, string] | undefined {
  const taken = new Map<string, KeyAction>()
  for (const action of KEY_ACTIONS) {
    for (const key of keys[action]) {
      const first = taken.get(key)
      if (first !== undefined && first !== action) return [first, action, key]
      taken.set(key, action)
    }
  }
  return undefined
}

export function actionFor(keys: Keys, name: string): KeyAction | undefined {
  return KEY_ACTIONS.find((action) => keys[action].includes(name))
}

/** Additional keys for the editor. */
export const EDITOR_KEYS: Readonly<Record<string, string[]>> = {
  "tui.input.newLine": ["shift+enter", "alt+enter", "ctrl+j"],
  "tui.editor.undo": ["ctrl+-", "ctrl+_"],
}
