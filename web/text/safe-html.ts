// The last check before HTML is shown: whatever made it, only these elements and attributes pass.
import DOMPurify from "dompurify"

const TAGS = [
  ..."p br hr em strong del code pre blockquote ul ol li h1 h2 h3 h4 h5 h6 a span sub sup".split(" "),
  ..."table thead tbody tr th td".split(" "),
]
const ATTRIBUTES = ["href", "title", "class", "start", "align", "target", "rel"]
const OUR_CLASS = /^(?:hljs-[\w-]+(?: (?:\w+_|hljs-[\w-]+))*|outer-image)$/

const purify = DOMPurify(window)
purify.addHook("uponSanitizeAttribute", (_, data) => {
  if (data.attrName === "class" && !OUR_CLASS.test(data.attrValue)) data.keepAttr = false
})
purify.addHook("afterSanitizeAttributes", (node) => {
  if (node.tagName !== "A") return
  node.setAttribute("target", "_blank")
  node.setAttribute("rel", "noopener noreferrer")
})

export function safeHtml(html: string): string {
  return purify.sanitize(html, {
    ALLOWED_TAGS: TAGS,
    ALLOWED_ATTR: ATTRIBUTES,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    ALLOWED_URI_REGEXP: /^(?:https?:\/\/|mailto:)/i,
  })
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`)
}
