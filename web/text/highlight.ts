// Colours for code. Loaded when the first code is shown: it is larger than the rest of the page's own code.
import hljs from "highlight.js/lib/core"
import bash from "highlight.js/lib/languages/bash"
import c from "highlight.js/lib/languages/c"
import cpp from "highlight.js/lib/languages/cpp"
import css from "highlight.js/lib/languages/css"
import diff from "highlight.js/lib/languages/diff"
import go from "highlight.js/lib/languages/go"
import java from "highlight.js/lib/languages/java"
import javascript from "highlight.js/lib/languages/javascript"
import json from "highlight.js/lib/languages/json"
import markdown from "highlight.js/lib/languages/markdown"
import python from "highlight.js/lib/languages/python"
import ruby from "highlight.js/lib/languages/ruby"
import rust from "highlight.js/lib/languages/rust"
import shell from "highlight.js/lib/languages/shell"
import sql from "highlight.js/lib/languages/sql"
import typescript from "highlight.js/lib/languages/typescript"
import xml from "highlight.js/lib/languages/xml"
import yaml from "highlight.js/lib/languages/yaml"
import { safeHtml } from "./safe-html.ts"

const LANGUAGES = { bash, c, cpp, css, diff, go, java, javascript, json, markdown, python, ruby, rust, shell, sql }
const MORE = { typescript, xml, yaml }
for (const [name, language] of Object.entries({ ...LANGUAGES, ...MORE })) hljs.registerLanguage(name, language)

/** Undefined for an unknown language. */
export function highlighted(code: string, language: string): string | undefined {
  if (hljs.getLanguage(language) === undefined) return undefined
  return safeHtml(hljs.highlight(code, { language, ignoreIllegals: true }).value)
}
