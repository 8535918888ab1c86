// Keys for the whole page. All use Alt, so that they never interfere with typing.

/** `keys`: by name, such as "Alt+ArrowLeft" or "Alt+t". Returns how to stop. */
export function onKeys(keys: Readonly<Record<string, () => void>>): () => void {
  const onkeydown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    // The character that Alt produces depends on the layout; the key itself does not.
    const letter = /^Key([A-Z])$/.exec(event.code)?.[1]?.toLowerCase()
    const run = keys[`${event.altKey ? "Alt+" : ""}${letter ?? event.key}`]
    if (run === undefined || document.querySelector("dialog[open]") !== null) return
    event.preventDefault()
    run()
  }
  addEventListener("keydown", onkeydown)
  return () => removeEventListener("keydown", onkeydown)
}
