import { readdirSync } from "node:fs"
import { join, relative, sep } from "node:path"
import { defineConfig, type Rolldown } from "tsdown"

const AGENTS = readdirSync(join(import.meta.dirname, "src/formats"), { withFileTypes: true })
  .filter((each) => each.isDirectory() && !["all", "plain", "shared"].includes(each.name))
  .map(({ name }) => name)

/**
 * Few files, cut by what a call needs: to the module loader a file costs more than its bytes. A chunk takes along what its
 * files import, unless a chunk above it has that; so it imports those above, and loads those below only when it needs them.
 * `start` is what `retcon ls` loads, and `list-AGENT` for each agent that is on the machine; the terminal's first frame loads what
 * is above `turn`.
 */
const CHUNKS: [name: string, files: RegExp][] = [
  ["home", /^src\/(app\/config\/home|cli\/process\/compile-cache)\.ts/],
  [
    "start",
    /^src\/cli\/(run-in-process|machine|commands\/ls)\.ts|^src\/(formats\/(all\/|ids|shared\/(data|folder|json-line|read|retcon|step))|model\/record\/origin|foreign\/keep\/clean-ups\.ts)/,
  ],
  ...AGENTS.map((agent): [string, RegExp] => [`list-${agent}`, new RegExp(`^src/formats/${agent}/format\\.ts`)]),
  [
    "store",
    /^src\/(history\/(?!wire\/)|store\/file\/file-store\.ts|session\/state\/system\.ts|formats\/plain\/exported\.ts)/,
  ],
  ["session", /^src\/(session\/session\.ts|store\/file\/log\/|workspace\/(?!git\/))/],
  ["files", /^src\/workspace\/git\//],
  [
    "folder",
    /^src\/(cli\/(config|sessions)\/|app\/(config\/|notes\/|open\/(load|with|work)|library\/(find-moved|moved-folder|named-session)))/,
  ],
  ["agent", /^src\/app\/(host|setup\/make-host-deps)\.ts/],
  ["terminal", /^src\/cli\/commands\/tui\.ts/],
  [
    "turn",
    /^src\/(agent\/(?!mcp|tools)|(runner|protocol|app\/(open|port|setup|turn))\/|app\/library\/list-|provider\/(?!ai-sdk|practice))|^src\/cli\/(agent\/|commands\/(compact|run)\.ts)/,
  ],
  ["practice", /^src\/provider\/practice\//],
  ["models", /^src\/provider\/ai-sdk\//],
  ["foreign", /^src\/(foreign|formats\/shared)\//],
  ...AGENTS.map((agent): [string, RegExp] => [agent, new RegExp(`^src/formats/${agent}/`)]),
  ["engine", /^src\/(store|session)\//],
  ["search", /^src\/app\/search\//],
  ["tools", /^src\/agent\/(mcp|tools)\//],
  ["mcp", /^src\/(cli\/(mcp\/|commands\/mcp\.ts)|app\/mcp-servers\/)/],
  ["server", /^src\/(server|history\/wire)\/|^src\/cli\/(serve\/|commands\/serve\.ts)/],
  ["plain", /^src\/tui\//],
  [
    "commands",
    /^src\/(app\/(library|protection|secrets)\/|cli\/(?!main\.ts|apart-program\.ts|commands\/complete\.ts))/,
  ],
]

const HOOK_CHUNKS: typeof CHUNKS = [
  ["hook-home", /^src\/cli\/process\/(home|compile-cache)\.ts/],
  ["hook-event", /^src\/app\/recording\/run-hook\.ts/],
  ["hook-keep", /^src\/(app\/recording\/keep-session|formats\/[^/]+\/format)\.ts/],
]

function groupsOf(chunks: typeof CHUNKS) {
  return chunks.map(([name, files], index) => ({
    name,
    test: (id: string) => files.test(fromRoot(id)) && !id.endsWith(".d.ts"),
    priority: chunks.length - index,
  }))
}

/** For the NOTICE: the packages whose code is in the bundle. Not published. */
const listPackages: Rolldown.Plugin = {
  name: "list-packages",
  generateBundle(_, bundle) {
    const ids = Object.values(bundle).flatMap((each) => (each.type === "chunk" ? Object.keys(each.modules) : []))
    const packages = ids.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id) ?? [])
    const source = JSON.stringify([...new Set(packages.map(fromRoot))].sort())
    this.emitFile({ type: "asset", fileName: "bundled.json", source })
  },
}

/** What packages do as soon as they are loaded, and few calls need: done when it is first used. In ms of CPU, bare Node taking 22. */
const LATER: { file: string; now: string; later: string }[] = [
  {
    // 3 ms, for commands that are programs of their own. We have none.
    file: "commander/lib/command.js",
    now: "const childProcess = require('node:child_process');",
    later: "",
  },
  {
    // 9 ms.
    file: "pi-tui/dist/utils.js",
    now: 'const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });',
    later: `let graphemes;
const segmenter = { segment: (text) => (graphemes ??= new Intl.Segmenter(undefined, { granularity: "grapheme" })).segment(text) };`,
  },
  {
    // 1.3 ms, and as much again at the first test.
    file: "pi-tui/dist/utils.js",
    now: "const rgiEmojiRegex = /^\\p{RGI_Emoji}$/v;",
    later: "let emoji;\nconst rgiEmojiRegex = { test: (text) => (emoji ??= /^\\p{RGI_Emoji}$/v).test(text) };",
  },
  {
    // 3.5 ms for marked: the patterns of its grammar. The first frame has no Markdown.
    file: "pi-tui/dist/components/markdown.js",
    now: 'import { Marked, Tokenizer } from "marked";',
    later: "",
  },
  {
    file: "pi-tui/dist/components/markdown.js",
    now: "class StrictStrikethroughTokenizer extends Tokenizer {",
    later: `function makeParser() {
const { Marked, Tokenizer } = require("marked");
class StrictStrikethroughTokenizer extends Tokenizer {`,
  },
  {
    file: "pi-tui/dist/components/markdown.js",
    now: `    tokenizer: new StrictStrikethroughTokenizer(),
});`,
    later: `    tokenizer: new StrictStrikethroughTokenizer(),
});
return markdownParser;
}
let parser;
const markdownParser = { lexer: (text) => (parser ??= makeParser()).lexer(text) };`,
  },
]
const doLater: Rolldown.Plugin = {
  name: "do-later",
  transform(code, id) {
    const changes = LATER.filter(({ file }) => fromRoot(id).endsWith(file))
    for (const { now } of changes) if (!code.includes(now)) this.error(`this is written in another way now: ${now}`)
    return changes.length === 0
      ? undefined
      : changes.reduce((text, { now, later }) => text.replace(now, () => later), code)
  },
}

/** Modules of Node's own that take up to 3 ms. A chunk uses few of those that its files name: each is loaded when it is first used. */
const LARGE = "child_process|crypto|dns|fs/promises|https?|net|readline|stream|tls|tty|worker_threads|zlib"
const builtInsLater: Rolldown.Plugin = {
  name: "built-ins-later",
  renderChunk(code) {
    let changed = code
    for (const [line, name = "", loaded = ""] of code.matchAll(
      new RegExp(`^let (node_\\w+) = (require\\("node:(?:${LARGE})"\\));$`, "gm"),
    )) {
      // Used as a whole.
      if (new RegExp(`\\b${name}\\b(?! = require\\(|\\.)`).test(code)) continue
      const later = `const ${name} = { get later() { const value = ${loaded}; Object.defineProperty(this, "later", { value }); return value; } };`
      changed = changed.replaceAll(new RegExp(`\\b${name}\\.`, "g"), `${name}.later.`).replace(line, () => later)
    }
    return changed
  },
}

/**
 * `import fs from "node:fs"`: the module itself. Rolldown copies it instead, with a getter for each of its hundred functions:
 * a millisecond, and a detour at every call.
 */
const builtInsThemselves: Rolldown.Plugin = {
  name: "built-ins-themselves",
  renderChunk(code) {
    let changed = code
    for (const [line, name = ""] of code.matchAll(/^(node_\w+) = require_rolldown_runtime\.\w+\(\1, 1\);$/gm)) {
      // Used as a namespace, with a default beside its names.
      if (new RegExp(`\\b${name}\\b(?! = |, 1\\);|\\.)`).test(code)) continue
      changed = changed.replace(line, () => "").replaceAll(new RegExp(`\\b${name}\\.default\\b`, "g"), () => name)
    }
    return changed
  },
}

/** With ASCII alone, V8 takes a byte for a character instead of two, and half the time to read them. */
const asciiOnly: Rolldown.Plugin = {
  name: "ascii-only",
  generateBundle(_, bundle) {
    for (const chunk of Object.values(bundle)) {
      if (chunk.type !== "chunk") continue
      if (/String\.raw`[^`]*[^\0-\x7f]/.test(chunk.code)) this.error(`${chunk.fileName}: String.raw needs ASCII here`)
      chunk.code = chunk.code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    }
  },
}

function fromRoot(path: string): string {
  return relative(import.meta.dirname, path)
    .split(sep)
    .join("/")
}

const shared = { platform: "node", target: "node20", clean: true, report: false } as const

/** Whoever installs the package gets dist/ and nothing else. Half the size; names stay, so that a stack trace can be read. */
const bundled = {
  ...shared,
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
  deps: { alwaysBundle: [/./] as RegExp[], onlyBundle: false },
} as const

/** CommonJS: Node takes 5 ms to get its loader of ES modules ready, and can keep only scripts in compiled form (compile-cache.ts). */
export const program = defineConfig({
  ...bundled,
  // The second is a process of its own that works for a server, so that the server goes on answering.
  entry: { cli: "src/cli/main.ts", "apart-program": "src/cli/apart-program.ts" },
  format: "cjs",
  fixedExtension: true,
  dts: false,
  inputOptions: { preserveEntrySignatures: "allow-extension" },
  outputOptions: { codeSplitting: { groups: groupsOf(CHUNKS) }, dynamicImportInCjs: false },
  plugins: [listPackages, doLater, builtInsThemselves, builtInsLater, asciiOnly],
  // A tool's description is a .md file beside its code; toolText() reads it from beside the bundle.
  copy: ["src/agent/tools/*.md"],
})

const LIBRARY = {
  index: "src/index.ts",
  "store-contract": "src/store/contract.ts",
  "ai-sdk": "src/builders/ai-sdk.ts",
  "openai-agents": "src/builders/openai-agents.ts",
}

const library = defineConfig({
  ...bundled,
  entry: LIBRARY,
  format: "esm",
  fixedExtension: false,
  dts: { entry: Object.values(LIBRARY) },
})

/** A thread starts from a file: one of its own, so that it loads nothing but its program. */
const thread = { ...shared, format: "esm", fixedExtension: true, dts: false, minify: true } as const
const helperThread = defineConfig({
  ...thread,
  entry: { "helper-program": "src/workspace/git/bulk/helper-program.ts" },
})
const scanThread = defineConfig({ ...thread, entry: { "scan-program": "src/find/scan-program.ts" } })

/** The settings of agents name the program by its file. Those written by an earlier version name this one. */
const earlierName: Rolldown.Plugin = {
  name: "earlier-name",
  generateBundle() {
    this.emitFile({ type: "asset", fileName: "hook.js", source: 'import "./hook.cjs"\n' })
  },
}

/** What other agents run at every call of a tool: a bundle of its own, which loads only what that needs. */
const hook = defineConfig({
  ...shared,
  format: "cjs",
  entry: { hook: "src/cli/hook-program.ts" },
  minify: true,
  fixedExtension: true,
  dts: false,
  deps: { alwaysBundle: [/./], onlyBundle: false },
  outputOptions: { codeSplitting: { groups: groupsOf(HOOK_CHUNKS) }, dynamicImportInCjs: false },
  plugins: [builtInsThemselves, builtInsLater, asciiOnly, earlierName],
})

export default [program, library, helperThread, scanThread, hook]
