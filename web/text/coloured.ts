// Highlights code a few milliseconds at a time: code that scrolls past is shown at once without colours, and gets them later.

type Highlighted = (code: string, language: string) => string | undefined

/** Longer code would take longer than a frame. */
const LONGEST = 20_000
const SLICE_MS = 6
const KEPT = 500

const known = new Map<string, string>()
const waiting: { key: string; code: string; language: string; tell: (html: string) => void }[] = []
let working = false
let loaded: Promise<Highlighted> | undefined

/** Calls `tell` with the coloured code, now or later, if the language is known. Returns how to cancel. */
export function colour(code: string, language: string, tell: (html: string) => void): () => void {
  if (language === "" || code.length > LONGEST) return () => {}
  const key = `${language}\n${code}`
  const html = known.get(key)
  if (html !== undefined) {
    tell(html)
    return () => {}
  }
  const one = { key, code, language, tell }
  waiting.push(one)
  void work()
  return () => {
    const at = waiting.indexOf(one)
    if (at !== -1) waiting.splice(at, 1)
  }
}

async function work(): Promise<void> {
  if (working) return
  working = true
  loaded ??= import("./highlight.ts").then(({ highlighted }) => highlighted)
  const highlight = await loaded
  while (waiting.length > 0) {
    await new Promise((done) => setTimeout(done))
    const until = performance.now() + SLICE_MS
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
      const html = highlight(one.code, one.language)
      if (known.size >= KEPT) known.clear()
      if (html !== undefined) known.set(one.key, html)
      if (html !== undefined) one.tell(html)
      if (performance.now() >= until) break
    }
  }
  working = false
}
