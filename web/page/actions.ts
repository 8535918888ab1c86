// Svelte actions: what an element gets when it appears.

/** A part that scrolls on its own: gives it a name, and makes it reachable by keyboard. */
export function scrollable(node: HTMLElement, label: string): void {
  node.tabIndex = 0
  node.setAttribute("role", "region")
  node.setAttribute("aria-label", label)
}

/** Focuses the one field of what a person has just opened, even in a dialog, which would otherwise choose the focus itself. */
export function focused(node: HTMLElement): void {
  node.autofocus = true
  node.focus()
}
