// Finds many values in a text in one pass, however many there are (Aho and Corasick, 1975).

interface Node {
  next: Map<number, Node>
  /** Where to continue if no letter matches: the longest suffix of this that is a prefix of a value. */
  fallback: Node | undefined
  /** The longest value that ends here. */
  ends: Writing | undefined
}

/** A form in which a text may contain a value. */
export interface Writing {
  text: string
  /** The value it stands for. */
  value: string
}

export interface ValueMatch {
  from: number
  to: number
  value: string
}

export function automaton(values: readonly Writing[]): (text: string) => Generator<ValueMatch> {
  const root: Node = { next: new Map(), fallback: undefined, ends: undefined }
  for (const value of values) if (value.text !== "") add(root, value)
  connect(root)
  return (text) => matches(root, text)
}

function add(root: Node, value: Writing): void {
  let node = root
  for (let i = 0; i < value.text.length; i++) {
    const code = value.text.charCodeAt(i)
    const known = node.next.get(code)
    const next = known ?? { next: new Map(), fallback: root, ends: undefined }
    if (known === undefined) node.next.set(code, next)
    node = next
  }
  node.ends ??= value
}

/** Level by level, so that a node's fallback is connected before it. */
function connect(root: Node): void {
  const waiting = [...root.next.values()]
  for (const node of waiting) {
    for (const [code, child] of node.next) {
      let fallback = node.fallback
      while (fallback !== undefined && !fallback.next.has(code)) fallback = fallback.fallback
      child.fallback = fallback?.next.get(code) ?? root
      child.ends ??= child.fallback.ends
      waiting.push(child)
    }
  }
}

function* matches(root: Node, text: string): Generator<ValueMatch> {
  if (root.next.size === 0) return
  let node = root
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    let next = node.next.get(code)
    while (next === undefined && node.fallback !== undefined) {
      node = node.fallback
      next = node.next.get(code)
    }
    node = next ?? root
    if (node.ends !== undefined) yield { from: at + 1 - node.ends.text.length, to: at + 1, value: node.ends.value }
  }
}
