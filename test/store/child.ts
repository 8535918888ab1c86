// Runs programs of `programs/` as processes of their own. They are bundled once, because node starts a bundle quickest.
import { type ChildProcess, spawn } from "node:child_process"
import { chmodSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { createInterface } from "node:readline"
import { build } from "tsdown"
import { afterAll } from "vitest"

const bundles = new Map<string, Promise<string>>()

/** The file of a program, bundled. */
function bundled(program: string): Promise<string> {
  const known = bundles.get(program) ?? bundle(program)
  bundles.set(program, known)
  return known
}

async function bundle(program: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "retcon-program-"))
  // A program may run as another user.
  chmodSync(folder, 0o755)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  await build({
    config: false,
    entry: { [program]: resolve("test/store/programs", `${program}.ts`) },
    outDir: folder,
    format: "esm",
    platform: "node",
    target: "node20",
    fixedExtension: false,
    outExtensions: () => ({ js: ".mjs" }),
    dts: false,
    clean: false,
    report: false,
    logLevel: "silent",
  })
  return join(folder, `${program}.mjs`)
}

export interface Child {
  process: ChildProcess
  /** Lines it prints; ends when it ends. */
  lines: AsyncIterableIterator<string>
  /** All it printed, once it has ended, and how. */
  ended: Promise<{ code: number | null; signal: string | null; errors: string }>
  send(line: string): void
}

/** Starts a program. `under` stands before it: a command that changes what the process may do. */
export async function start(program: string, args: string[] = [], under: string[] = []): Promise<Child> {
  const [command, ...rest] = [...under, process.execPath, await bundled(program), ...args]
  const child = spawn(command as string, rest, { stdio: ["pipe", "pipe", "pipe"] })
  let errors = ""
  child.stderr.on("data", (data: Buffer) => {
    errors += data.toString()
  })
  child.stdin.on("error", () => undefined)
  const ended = new Promise<{ code: number | null; signal: string | null; errors: string }>((done, fail) => {
    child.on("error", fail)
    child.on("close", (code, signal) => done({ code, signal, errors }))
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return { process: child, lines, ended, send: (line) => child.stdin.write(`${line}\n`) }
}

/** Runs a program to its end and answers the lines it printed. */
export async function run(program: string, args: string[] = [], under: string[] = []): Promise<string[]> {
  const child = await start(program, args, under)
  const printed: string[] = []
  for await (const line of child.lines) printed.push(line)
  const { code, errors } = await child.ended
  if (code !== 0) throw new Error(`${program} ended with ${code}: ${errors}`)
  return printed
}
