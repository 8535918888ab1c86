// Markdown as blocks. HTML in it is shown as text, and images as links, so that nothing is loaded from elsewhere. Rendered blocks
// are cached: while an answer streams, only its last block changes.
import { Marked, type Token, type Tokens } from "marked"
import { sanitise } from "../../src/model/text/sanitise.ts"
import { escapeHtml, safeHtml } from "./safe-html.ts"

export type MarkdownBlock = { kind: "html"; html: string } | { kind: "code"; code: string; language: string }

const SHOWN_LINK = /^(?:https?:\/\/|mailto:)/i

const marked = new Marked({
  gfm: true,
  // A line break by a model is intended: output of commands, addresses, verses.
  breaks: true,
  renderer: {
    html: ({ text }) => escapeHtml(text),
    link({ href, tokens }) {
      return SHOWN_LINK.test(href) ? false : this.parser.parseInline(tokens)
    },
    checkbox: ({ checked }) => (checked ? "☑ " : "☐ "),
    image: ({ href, text }) => `<a class="outer-image" href="${escapeHtml(href)}">${escapeHtml(text || href)}</a>`,
  },
})

const KEPT = 2_000
const rendered = new Map<string, string>()

export function markdownBlocks(text: string): MarkdownBlock[] {
  return marked.lexer(sanitise(text)).flatMap((token): MarkdownBlock[] => {
    if (token.type === "space") return []
    if (token.type !== "code") return [{ kind: "html", html: htmlOf(token) }]
    const { text: code, lang } = token as Tokens.Code
    return [{ kind: "code", code, language: /^[\w+#.-]+/.exec(lang ?? "")?.[0]?.toLowerCase() ?? "" }]
  })
}

function htmlOf(token: Token): string {
  // A reference, [text][name], depends on more than its own text.
  const known = token.raw.includes("][") ? undefined : rendered.get(token.raw)
  if (known !== undefined) return known
  const html = safeHtml(marked.parser([token]))
  if (rendered.size >= KEPT) rendered.clear()
  rendered.set(token.raw, html)
  return html
}
