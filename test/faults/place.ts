// A home of retcon, a person's home and a project in a temporary folder, put back to a kept state before each try.
import { tmpdir } from "node:os"
import { join } from "node:path"
import { readSettings } from "../../src/app/config/settings.ts"
import { processDeps } from "../../src/cli/machine.ts"
import type { Cli, Output } from "../../src/cli/port/cli.ts"
import { report } from "../../src/cli/port/errors.ts"
import { runCommand } from "../../src/cli/run-retcon.ts"
import { systemOptions } from "../../src/session/state/system.ts"
import { testStore } from "../any-store.ts"
import { door } from "./door.ts"

const fs = door.real

/** What retcon says: an exit code, and what is on standard error. */
export interface Answer {
  exit: number
  out: string
  err: string
}

export interface Place {
  /** Everything is in it. What is beside `folder` stays as it is from try to try. */
  base: string
  folder: string
  home: string
  person: string
  cwd: string
  /** Makes a program that can be called. */
  put(name: string, text: string): void
  /** The session that a flow means, where there are several. */
  named?: string | undefined
  /** This is what every try begins with. */
  keep(): void
  reset(): Promise<void>
  /** Makes this process dead to others: what it holds was held by one that is gone. */
  die(): Promise<void>
  cli(): Cli
  /** Calls retcon as a person calls it; words are separated by spaces, or given one by one. */
  retcon(words: string | readonly string[], input?: string): Promise<Answer>
  /** Does what a command would do, and answers as retcon answers. */
  answer(work: () => Promise<unknown>): Promise<Answer>
  /** What is open between one step and the next, as in a program that runs on; the same for each step of a try. */
  open<Value>(make: () => Promise<Value>, close: (value: Value) => Promise<void>): Promise<Value>
  /** Closes that. */
  end(): Promise<void>
  /** retcon gc, a day later. */
  sweep(): Promise<Answer>
  remove(): Promise<void>
}

/** Thousands of tries wait for the disk many times each, and none of them cuts the power. */
const MEMORY = "/dev/shm"

const COPY = { recursive: true, verbatimSymlinks: true, preserveTimestamps: true }
const DAY = 24 * 60 * 60 * 1000

export function temporaryPlace(): Place {
  const base = fs.realpathSync(fs.mkdtempSync(join(fs.existsSync(MEMORY) ? MEMORY : tmpdir(), "retcon-faults-")))
  const [folder, kept] = [join(base, "at"), join(base, "kept")]
  const bin = join(base, "bin")
  const [home, person, cwd] = [join(folder, "home"), join(folder, "person"), join(folder, "project")]
  for (const path of [folder, home, person, cwd]) fs.mkdirSync(path)
  let later = 0
  let opened: { value: unknown; close: () => Promise<void> } | undefined
  const now = () => Date.now() + later
  const cli = (out = paper(), err = paper(), input = ""): Cli => ({
    home,
    cwd,
    store: testStore(home, person, now),
    sessionOptions: { ...systemOptions(), durability: "sync" },
    settings: readSettings(undefined).settings,
    made: { name: "retcon", version: "0.0.0" },
    now,
    in: { isTerminal: false, isPiped: true, readAll: async () => Buffer.from(input), ask: async () => "" },
    out,
    err,
    env: { PATH: `${bin}:${process.env.PATH ?? ""}`, HOME: person, RETCON_HOME: home, RETCON_NO_PAGER: "1" },
    ...processDeps(err),
  })
  const place: Place = {
    base,
    folder,
    home,
    person,
    cwd,
    put(name, text) {
      fs.mkdirSync(bin, { recursive: true })
      fs.writeFileSync(join(bin, name), text, { mode: 0o755 })
    },
    keep() {
      fs.rmSync(kept, { recursive: true, force: true })
      fs.cpSync(folder, kept, COPY)
    },
    async reset() {
      await place.end()
      fs.rmSync(folder, { recursive: true, force: true })
      fs.cpSync(kept, folder, COPY)
    },
    async die() {
      await place.end()
      bury(folder)
    },
    cli,
    async retcon(words, input) {
      const [out, err] = [paper(), paper()]
      const list = typeof words === "string" ? words.split(" ") : words
      const start = async () => cli(out, err, input)
      const exit = await runCommand(list, { version: "0.0.0", out, err, debug: false, start })
      return { exit, out: out.text(), err: err.text() }
    },
    async answer(work) {
      const err = paper()
      try {
        await work()
        return { exit: 0, out: "", err: "" }
      } catch (error) {
        return { exit: report(error, err, { json: false, debug: false, command: "" }), out: "", err: err.text() }
      }
    },
    async open<Value>(make: () => Promise<Value>, close: (value: Value) => Promise<void>) {
      if (opened !== undefined) return opened.value as Value
      const value = await make()
      opened = { value, close: () => close(value) }
      return value
    },
    async end() {
      const { close } = opened ?? {}
      opened = undefined
      await close?.()
    },
    async sweep() {
      later += DAY
      try {
        return await place.retcon("gc")
      } finally {
        later -= DAY
      }
    },
    async remove() {
      await place.end()
      fs.rmSync(base, { recursive: true, force: true })
    },
  }
  return place
}

function paper(): Output & { text(): string } {
  const written: Buffer[] = []
  const write = (text: string | Uint8Array) => void written.push(Buffer.from(text as string))
  return { write, isTerminal: false, width: 80, colours: false, text: () => Buffer.concat(written).toString() }
}

function entriesIn(folder: string) {
  return fs.readdirSync(folder, { recursive: true, withFileTypes: true })
}

/** No process has this number. */
const NOBODY = 4_194_305

/** A link names its holder in its target, a file as JSON, and temporary files in their names. */
function bury(folder: string): void {
  for (const entry of entriesIn(folder)) {
    const file = join(entry.parentPath, entry.name)
    if (entry.isSymbolicLink()) {
      const target = fs.readlinkSync(file)
      if (!target.startsWith(`${process.pid} `)) continue
      fs.unlinkSync(file)
      fs.symlinkSync(target.replace(String(process.pid), String(NOBODY)), file)
    } else if (entry.isFile() && fs.statSync(file).size < 1000) {
      const text = fs.readFileSync(file, "latin1")
      const own = `"pid":${process.pid}`
      if (text.includes(own)) fs.writeFileSync(file, text.replaceAll(own, `"pid":${NOBODY}`), "latin1")
    }
    const buried = entry.name.replace(new RegExp(`([.-])${process.pid}([.-])`), `$1${NOBODY}$2`)
    if (buried !== entry.name) fs.renameSync(file, join(entry.parentPath, buried))
  }
}

/** All files, without what differs from run to run, objects of snapshots and caches: which there are depends on what was read. */
export function namesIn(folder: string): string[] {
  return entriesIn(folder)
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath.slice(folder.length), entry.name))
    .filter((name) => !/^\/home\/cache\/(?!.*\.tmp$)/.test(name))
    .filter((name) => !/\/objects\/(?:[0-9a-f]{2}\/[0-9a-f]{38}|pack\/pack-[0-9a-f]{40}\.\w+)$/.test(name))
    .map((name) => name.replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "ID"))
}
