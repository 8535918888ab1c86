// What was folded on the screen, in full, for the page that unfolds it: the scrollback can no longer be changed.

export interface FoldedItem {
  title: string
  text: string
}

export interface FoldedTexts {
  /** The key that shows the page. */
  readonly key: string
  add(title: string, text: string): void
  /** Oldest first. */
  readonly items: readonly FoldedItem[]
}

const MOST_ITEMS = 200
const MOST_CHARACTERS = 2_000_000

export function makeFolded(key: string): FoldedTexts {
  const items: FoldedItem[] = []
  let characters = 0
  return {
    key,
    add(title, text) {
      // A round that is drawn again folds the same texts again.
      const known = items.findIndex((item) => item.title === title && item.text === text)
      if (known !== -1) characters -= items.splice(known, 1)[0]?.text.length ?? 0
      items.push({ title, text })
      characters += text.length
      while (items.length > 1 && (items.length > MOST_ITEMS || characters > MOST_CHARACTERS)) {
        characters -= items.shift()?.text.length ?? 0
      }
    },
    get items() {
      return items
    },
  }
}
