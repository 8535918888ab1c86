// What V8 has compiled of the program, kept between calls: compiling takes longer than most commands.
import {
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs"
import * as nodeModule from "node:module"
import { homedir } from "node:os"
import { basename, dirname, join } from "node:path"
import { constants, Script } from "node:vm"
import { crc32 } from "node:zlib"
import { homeFolder } from "../../app/config/home.ts"
import { errno } from "../../model/failure/retcon-error.ts"

/** What Node has but its types lack: a function for each file extension, and Node 22.1's own cache. */
interface ModuleLoader {
  _extensions: Record<string, (module: NodeJS.Module, file: string) => void>
  enableCompileCache?: (folder: string) => unknown
}

/** By then the terminal has shown its first frame, and little that only a long session needs has been compiled. */
const STARTED_MS = 2000
/** Bytes. */
const CHECKSUM = 4
const MONTH_MS = 30 * 24 * 3600 * 1000

/**
 * Kept in retcon's own folder: in the temporary folder, Node's default, others could plant code for us. Someone who has
 * not used retcon yet gets no folder just by asking for help. `command`: each command uses other functions of the same
 * files.
 */
export function keepCompiled(command: string): void {
  const home = homeFolder(process.env, process.platform, homedir())
  if (!existsSync(home) || !isOurs(statSync(home))) return
  const folder = join(home, "compiled")
  const loader = (nodeModule as { default?: unknown }).default as ModuleLoader
  if (loader.enableCompileCache !== undefined) loader.enableCompileCache(folder)
  else keepScripts(loader, join(folder, `${process.version}-${process.arch}`), command)
}

/**
 * The same for Node 20, which keeps nothing by itself. A file's name contains a hash of its content, and V8 refuses
 * what another V8 compiled, so whatever is found under that name fits. The files are ASCII (tsdown.config.ts).
 */
function keepScripts(loader: ModuleLoader, folder: string, command: string): void {
  const unwritten = new Map<string, Script>()
  const known = join(folder, command)
  const isNew = !existsSync(known)
  loader._extensions[".cjs"] = (module, file) => {
    const kept = join(folder, basename(file))
    const script = new Script(nodeModule.wrap(readFileSync(file, "latin1")), {
      filename: file,
      cachedData: readKept(kept),
      importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    })
    if (isNew || script.cachedDataRejected !== false) unwritten.set(kept, script)
    const run = script.runInThisContext() as (...given: unknown[]) => void
    run.call(module.exports, module.exports, (name: string) => module.require(name), module, file, dirname(file))
  }
  const write = () => {
    if (unwritten.size === 0) return
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      for (const [kept, script] of unwritten) writeKept(kept, script.createCachedData())
      unwritten.clear()
      writeKept(known, Buffer.alloc(0))
      removeOld(folder)
    } catch (error) {
      // On a full disk, or in a folder that cannot be written to, the next call takes as long as this one.
      if (errno(error) === undefined) throw error
    }
  }
  setTimeout(write, STARTED_MS).unref()
  process.on("exit", write)
}

/** Contract: V8 gets exactly what was written, because it would crash on damaged bytes: a checksum precedes them. */
function readKept(file: string): Buffer | undefined {
  let open: number
  try {
    open = openSync(file, "r")
  } catch {
    return undefined
  }
  try {
    if (!isOurs(fstatSync(open))) return undefined
    const bytes = readFileSync(open)
    const data = bytes.subarray(CHECKSUM)
    return data.length > 0 && bytes.readUInt32LE() === crc32(data) ? data : undefined
  } finally {
    closeSync(open)
  }
}

/** It belongs to this user, and nobody else may write to it. */
function isOurs({ uid, mode }: Stats): boolean {
  return uid === process.getuid?.() && (mode & 0o022) === 0
}

/** Two processes may do this at once: each renames a complete file. */
function writeKept(file: string, bytes: Buffer): void {
  const temporary = `${file}.${process.pid}`
  const checksum = Buffer.alloc(CHECKSUM)
  checksum.writeUInt32LE(crc32(bytes))
  try {
    writeFileSync(temporary, Buffer.concat([checksum, bytes]), { mode: 0o600, flag: "wx" })
    renameSync(temporary, file)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}

/** Removes what an earlier version left. What is still used is created again. */
function removeOld(folder: string): void {
  const old = Date.now() - MONTH_MS
  for (const name of readdirSync(folder)) {
    const file = join(folder, name)
    if (statSync(file).mtimeMs < old) rmSync(file, { force: true })
  }
}
