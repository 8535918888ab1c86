// Keys for the whole page. They use Alt, so that they never interfere with typing; Ctrl+K, or ⌘K, is where people look for a search.

/** `keys`: by name, such as "Alt+ArrowLeft" or "Alt+t"; "Ctrl+k" is also ⌘K. Returns how to stop. */
export function onKeys(keys: Readonly<Record<string, () => void>>): () => void {
  const onkeydown = (event: KeyboardEvent) => {
    const isCommand = event.ctrlKey || event.metaKey
    // AltGr is Ctrl and Alt.
    if (event.shiftKey || (isCommand && event.altKey)) return
    // The character that Alt produces depends on the layout; the key itself does not.
    const letter = /^Key([A-Z])$/.exec(event.code)?.[1]?.toLowerCase()
    const held = isCommand ? "Ctrl+" : event.altKey ? "Alt+" : ""
    const run = keys[`${held}${letter ?? event.key}`]
    if (run === undefined || document.querySelector("dialog[open]") !== null) return
    event.preventDefault()
    run()
  }
  addEventListener("keydown", onkeydown)
  return () => removeEventListener("keydown", onkeydown)
}
