import { relative, sep } from "node:path"
import { defineConfig, type Rolldown } from "tsdown"

/**
 * Few files, cut by what a call needs: to the module loader a file costs more than its bytes. A chunk takes along what its
 * files import, unless a chunk above it has that; so it imports those above, and loads those below only when it needs them.
 * `start` is what `retcon ls` loads, with what it takes to list every agent's sessions; the terminal shows its first frame
 * without `tools`.
 */
const CHUNKS: [name: string, files: RegExp][] = [
  ["home", /^src\/cli\/process\/home\.ts/],
  ["start", /^src\/cli\/(run-in-process|machine|commands\/ls)\.ts|^src\/formats\/all\//],
  ["store", /^src\/(model\/|history\/|store\/file\/file-store\.ts|session\/state\/system\.ts)/],
  ["engine", /^src\/(store|session|workspace\/(?!git\/))/],
  ["formats", /^src\/formats\//],
  ["files", /^src\/workspace\/git\//],
  [
    "commands",
    /^src\/cli\/(?!main\.ts|agent\/|mcp\/|mcp-install\/|tui\/|commands\/(complete|compact|mcp|run|tui)\.ts)/,
  ],
  [
    "agent",
    /^src\/(agent\/(?!mcp|tools)|(runner|host|provider|protocol)\/)|^src\/cli\/(agent\/|commands\/(compact|run)\.ts)/,
  ],
  ["tools", /^src\/agent\/(mcp|tools)\//],
  ["mcp", /^src\/cli\/(mcp\/|mcp-install\/|commands\/mcp\.ts)/],
  ["terminal", /^src\/(tui|cli\/tui)\/|^src\/cli\/commands\/tui\.ts/],
]

const groups = CHUNKS.map(([name, files], index) => ({
  name,
  test: (id: string) => files.test(fromRoot(id)) && !id.endsWith(".d.ts"),
  priority: CHUNKS.length - index,
}))

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

/** Commander loads it at once, for commands that are programs of their own. We have none, and every start would wait for it. */
const CHILD_PROCESS = "const childProcess = require('node:child_process');"
const withoutChildProcess: Rolldown.Plugin = {
  name: "without-child-process",
  transform(code, id) {
    if (!fromRoot(id).endsWith("commander/lib/command.js")) return undefined
    if (!code.includes(CHILD_PROCESS)) this.error("commander loads child_process in another way now")
    return code.replace(CHILD_PROCESS, "")
  },
}

function fromRoot(path: string): string {
  return relative(import.meta.dirname, path)
    .split(sep)
    .join("/")
}

const shared = { format: "esm", platform: "node", target: "node20", clean: true, report: false } as const

export const program = defineConfig({
  ...shared,
  entry: { index: "src/index.ts", "store-contract": "src/store/contract.ts", cli: "src/cli/main.ts" },
  fixedExtension: false,
  dts: { entry: ["src/index.ts", "src/store/contract.ts"] },
  // Whoever installs the package gets this folder and nothing else.
  deps: { alwaysBundle: [/./], onlyBundle: false },
  inputOptions: { preserveEntrySignatures: "allow-extension" },
  outputOptions: { codeSplitting: { groups } },
  plugins: [listPackages, withoutChildProcess],
  // A tool's description is a .md file beside its code; toolText() reads it from beside the bundle.
  copy: ["src/agent/tools/*.md"],
})

/** A thread starts from a file: one of its own, so that it loads nothing but its program. */
const helperThread = defineConfig({
  ...shared,
  entry: { "helper-program": "src/workspace/git/bulk/helper-program.ts" },
  fixedExtension: true,
  dts: false,
})

/** What other agents run at every call of a tool: a bundle of its own, which loads only what that needs. */
const hook = defineConfig({
  ...shared,
  entry: { hook: "src/cli/hook/main.ts" },
  minify: true,
  fixedExtension: false,
  dts: false,
  deps: { alwaysBundle: [/./], onlyBundle: false },
})

export default [program, helperThread, hook]
