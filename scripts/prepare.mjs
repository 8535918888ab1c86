// Installs and builds if stale. .cache/ records what was done, as a hash of the sources.
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { withLock } from "./lock.mjs"

export const root = fileURLToPath(new URL("..", import.meta.url))
export const cache = join(root, ".cache")

/** Neither tool may write to our stdout; its output is shown only if it fails. */
const quietly = { stdio: ["ignore", "pipe", "pipe"], maxBuffer: 64 * 1024 * 1024 }

const steps = {
  install: {
    line: "Installing dependencies (once)…",
    sources: ["package.json", "package-lock.json"],
    results: () => directDependencies().map((name) => `node_modules/${name}/package.json`),
    run: () => runNpm(["install", "--no-save", "--include=dev", "--no-audit", "--no-fund", "--loglevel=error"]),
  },
  build: {
    line: "Building…",
    sources: ["package.json", "package-lock.json", "tsconfig.json", "tsdown.config.ts", "src"],
    results: () => filesIn("dist").filter((file) => !file.startsWith("dist/web/")),
    run: () => runTool("tsdown", ["--logLevel", "warn"], quietly),
  },
  /** After the build, which empties dist/. */
  page: {
    line: "Building the page…",
    sources: ["package.json", "package-lock.json", "tsconfig.json", "vite.config.ts", "web", ...pageLayers()],
    results: () => filesIn("dist/web"),
    // Whatever mode the caller runs in: with NODE_ENV=test, Svelte would build its larger version for development.
    run: () => runTool("vite", ["build"], { ...quietly, env: { ...process.env, NODE_ENV: "production" } }),
  },
}

/** Brings the named steps up to date, in order, and the page with the build. Ends the process if one fails. */
export async function prepare(...wanted) {
  const names = wanted.flatMap((name) => (name === "build" ? ["build", "page"] : [name]))
  if (names.every(isFresh)) return
  const failed = await withLock(join(cache, "lock"), () => names.find((name) => !isFresh(name) && !redo(name)))
  if (failed === undefined) return
  process.stderr.write(`retcon: ${failed} failed; its messages are above.\n`)
  process.exit(1)
}

/** Runs a development tool of this project to its end; returns spawnSync's result. */
export function runTool(name, args, options = {}) {
  return spawnSync(toolPath(name), args, { cwd: root, stdio: "inherit", ...options })
}

export function toolPath(name) {
  return join(root, "node_modules", ".bin", name)
}

/** Paths of the files under `folder`, relative to the root, sorted. Empty if there is no such folder. */
export function filesIn(folder, base = root) {
  const path = join(base, folder)
  if (!existsSync(path)) return []
  return readdirSync(path, { withFileTypes: true })
    .flatMap((item) => (item.isDirectory() ? filesIn(join(folder, item.name), base) : [join(folder, item.name)]))
    .sort((a, b) => (a < b ? -1 : 1))
}

function isFresh(name) {
  const stamp = readStamp(name)
  return stamp?.made === fingerprint(name) && stamp.results.every((file) => existsSync(join(root, file)))
}

function redo(name) {
  const step = steps[name]
  process.stderr.write(`${step.line}\n`)
  rmSync(stampPath(name), { force: true })
  const made = fingerprint(name)
  const { status, error, stdout, stderr } = step.run()
  if (status !== 0) {
    process.stderr.write(error ? `${error.message}\n` : Buffer.concat([stdout, stderr]))
    return false
  }
  mkdirSync(cache, { recursive: true })
  writeFileSync(stampPath(name), JSON.stringify({ made, results: step.results() }))
  return true
}

function fingerprint(name) {
  const hash = createHash("sha256").update(process.version)
  for (const source of steps[name].sources) {
    for (const file of /\.\w+$/.test(source) ? [source] : filesIn(source)) {
      hash.update(`\0${file}\0`).update(readFileSync(join(root, file)))
    }
  }
  return hash.digest("hex")
}

/** The folders of src/ whose code is in the page. */
function pageLayers() {
  return JSON.parse(readFileSync(join(root, "layers.json"), "utf8")).mayImport.web
}

function directDependencies() {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
  return Object.keys({ ...dependencies, ...devDependencies })
}

function readStamp(name) {
  return existsSync(stampPath(name)) ? JSON.parse(readFileSync(stampPath(name), "utf8")) : undefined
}

function stampPath(name) {
  return join(cache, `${name}.json`)
}

function runNpm(args) {
  const npm = process.env.npm_execpath
  const [command, ...first] = npm?.endsWith(".js") ? [process.execPath, npm] : ["npm"]
  return spawnSync(command, [...first, ...args], { cwd: root, ...quietly })
}
