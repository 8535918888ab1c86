// Where a growing Markdown text can be cut: what precedes the cut is drawn for good. Cuts are possible even in the
// middle of a code block or a list, whose rest is then drawn as if its beginning preceded it.

export interface StreamCut {
  /** How much of the text precedes the cut. */
  length: number
  /** Appended to what precedes the cut, so that it can be drawn by itself; its last `closes` lines are not shown. */
  closing: string
  closes: number
  /** Prepended to the rest; the first `opens` lines drawn of it are not shown. */
  opening: string
  opens: number
  /** If the first line of the rest is renumbered: how many of its characters `to` replaces. */
  renumbered?: { from: number; to: string }
  /** The rest continues what precedes it: no blank line between them. */
  continues: boolean
}

interface Item {
  indent: number
  /** Where its own text starts: what is indented as far belongs to it. */
  content: number
  bullet: string
  number: number | undefined
}

interface Fence {
  mark: string
  line: string
  /** How many lists it is in. */
  depth: number
  /** Lines of the code so far: before the first there is nothing to cut. */
  lines: number
}

const FENCE = /^( *)(`{3,}|~{3,})[^`]*$/
const ITEM = /^( *)([-*+]|(\d{1,9})([.)]))( +)\S/
const RULE = /^ *([-*_])(?: *\1){2,} *$/

/** What ends a list without a blank line. */
const ENDS_LIST = /^ *(?:#{1,6} |>|([-*_])(?: *\1){2,} *$)/

/** Undefined if nothing can be cut yet. `from`: the length of the opening that was prepended to the text. */
export function streamCut(text: string, from = 0): StreamCut | undefined {
  let cut: StreamCut | undefined
  let items: Item[] = []
  let fence: Fence | undefined
  let at = 0
  let blank = false
  /** Whether the line before belongs to a paragraph: then a number other than 1 continues it. */
  let words = false

  const between = (length: number, continues = false): StreamCut => ({
    length,
    closing: "",
    closes: 0,
    opening: "",
    opens: 0,
    continues,
  })

  /** Only if no marker becomes longer: what is below an item is recognised by its indentation. */
  function inside(length: number, depth: number): StreamCut | undefined {
    const above = items.slice(0, depth)
    if (above.some((item) => markerOf(item).length !== item.bullet.length)) return undefined
    const opening = above.map((item) => `${" ".repeat(item.indent)}${markerOf(item)} x\n`).join("")
    return { ...between(length, true), opening, opens: above.length }
  }

  function ofItem(start: number, continues: boolean): StreamCut | undefined {
    const item = items.at(-1) as Item
    const found = inside(start, items.length - 1)
    if (found === undefined || markerOf(item).length !== item.bullet.length) return undefined
    // Alone and that far to the right it would be code.
    if (items.length === 1 && item.indent > 3) return undefined
    const from = item.indent + item.bullet.length
    const to = " ".repeat(item.indent) + markerOf(item)
    return { ...found, renumbered: { from, to }, continues }
  }

  for (const line of text.split("\n").slice(0, -1)) {
    const start = at
    at += line.length + 1
    const indent = /^ */.exec(line)?.[0].length ?? 0
    // A code block in an item ends with the item.
    if (fence !== undefined && line.trim() !== "" && indent < (items[fence.depth - 1]?.content ?? 0)) fence = undefined
    if (fence !== undefined) {
      if (closes(line, fence)) {
        if (items.length === 0) cut = between(at)
        fence = undefined
        continue
      }
      const list = fence.lines++ === 0 ? undefined : inside(start, fence.depth)
      if (list === undefined) continue
      const margin = /^ */.exec(fence.line)?.[0] ?? ""
      const opened = { opening: `${list.opening}${fence.line}\n`, opens: list.opens + 1 }
      if (start > from) cut = { ...list, ...opened, closing: `${margin}${fence.mark}`, closes: 1 }
      continue
    }
    if (line.trim() === "") {
      blank = true
      words = false
      continue
    }
    const mark = FENCE.exec(line)
    const found = RULE.test(line) ? null : ITEM.exec(line)
    const goesOn: boolean = words && found?.[3] !== undefined && Number(found[3]) !== 1
    const item: RegExpExecArray | null = items.length === 0 && (goesOn || indent > 3) ? null : found
    if (mark !== null) {
      const listed = items.length > 0
      items = items.filter(({ content }) => content <= indent)
      if (items.length === 0 && start > from) cut = between(start, listed && !blank)
      fence = { mark: mark[2] ?? "", line, depth: items.length, lines: 0 }
    } else if (item !== null) {
      const own = itemOf(item)
      const listed = items.some((each) => each.content <= own.indent || isSameList(each, own))
      const continues = listed || words || (items.length > 0 && !blank)
      items = withItem(items, own)
      if (start > from) cut = ofItem(start, continues) ?? cut
    } else if (ENDS_LIST.test(line)) {
      items = items.filter(({ content }) => content <= indent)
    } else if (blank && !(items.length > 0 && indent >= 2)) {
      items = []
      if (start > from) cut = between(start)
    }
    blank = false
    words = mark === null && item === null && (words || indent <= 3) && !ENDS_LIST.test(line)
  }
  // The last line is incomplete, but whatever it becomes, it does not belong to what is above a blank line.
  const open = items.length > 0 || fence !== undefined
  return blank && !open && at > from && /^\S/.test(text.slice(at)) ? between(at) : cut
}

function itemOf([, space = "", bullet = "", number, , gap = ""]: RegExpExecArray): Item {
  const content = space.length + bullet.length + Math.min(gap.length, 4)
  return { indent: space.length, content, bullet, number: number === undefined ? undefined : Number(number) }
}

/** The items that a line is in, including the new one, numbered as the list numbers them. */
function withItem(items: readonly Item[], item: Item): Item[] {
  const above = items.filter(({ content }) => content <= item.indent)
  const before = items[above.length]
  const same = before !== undefined && isSameList(before, item)
  const number = item.number === undefined || !same ? item.number : (before.number ?? 0) + 1
  return [...above, { ...item, number }]
}

function isSameList(one: Item, other: Item): boolean {
  return one.bullet.at(-1) === other.bullet.at(-1)
}

function markerOf({ bullet, number }: Item): string {
  return number === undefined ? bullet : `${number}${bullet.at(-1) ?? "."}`
}

function closes(line: string, { mark }: Fence): boolean {
  const trimmed = line.trim()
  return trimmed.startsWith(mark) && trimmed === (mark[0] ?? "").repeat(trimmed.length)
}
