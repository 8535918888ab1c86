// One sandbox for the commands of one session: chosen when first needed, with a folder for temporary files.
import { mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { PermissionMode } from "../../model/permission-mode.ts"
import type { SandboxState } from "../../model/sandbox-state.ts"
import { sandboxFolders } from "./machine-folders.ts"
import { type SandboxFolders, temporaryInside } from "./mounts.ts"
import type { CommandSandbox, Confinement, CopyInPlace, SandboxSettings } from "./port.ts"
import { type FoundSandbox, findSandbox } from "./probe.ts"

export interface Sandbox extends CommandSandbox {
  /** Whether the person should be told about it: not while they are asked about every command. */
  applies(): boolean
  /** What a command would get now. Contract: never rejects. */
  state(): Promise<SandboxState | undefined>
  /** Removes the temporary files. None of its commands may still be running. */
  close(): void
}

export interface SandboxOptions {
  settings: SandboxSettings
  mode(): PermissionMode
  root: string
  /** retcon's own. */
  home: string
  /** Folders in it that commands may read. */
  readable: readonly string[]
  personHome?: string
  /** The root is a copy of another folder: commands run in it in every mode, and see it in the place of that folder. */
  copy?: CopyInPlace
  /** Where to look for the programs that make a sandbox, as in a PATH. */
  search: string
}

const WITHOUT_ONE = "or run commands without one: set sandbox to auto in the configuration."

export function makeSandbox(options: SandboxOptions): Sandbox {
  const { settings } = options
  let [temporary, staging]: (string | undefined)[] = []
  let closed = false
  let found: Promise<FoundSandbox & { inside: string }> | undefined

  async function find(): Promise<FoundSandbox & { inside: string }> {
    // A probe that ends after `close` must leave nothing behind.
    if (closed) return { by: undefined, because: "the session is closed", advice: "Open it again", inside: "" }
    temporary ??= mkdtempSync(join(tmpdir(), "retcon-"))
    staging ??= mkdtempSync(join(tmpdir(), "retcon-root-"))
    const { root, home, readable, personHome, copy } = options
    const places: SandboxFolders = sandboxFolders({
      root: copy?.origin ?? root,
      ...(copy !== undefined && { copy }),
      home,
      readable,
      temporary,
      write: settings.write,
      ...(personHome === undefined ? {} : { personHome }),
    })
    const { search } = options
    const answer = await findSandbox({
      folders: places,
      network: settings.network === "on",
      search,
      staging: realpathSync(staging),
    })
    return { ...answer, inside: temporaryInside(places) }
  }
  const probed = () =>
    (found ??= find().catch((error: Error) => {
      return { by: undefined, because: error.message, advice: "Fix that", inside: "" }
    }))

  const wanted = () => isCopy || (settings.use !== "off" && applies())

  const isCopy = options.copy !== undefined

  const applies = () => isCopy || settings.use === "on" || !["plan", "default"].includes(options.mode())

  return {
    applies,
    always: isCopy,
    async confine(): Promise<Confinement> {
      if (!wanted()) return { how: "open" }
      const { network } = settings
      const answer = await probed()
      if (answer.by !== undefined) {
        const { words, inside } = answer
        return { how: "confined", words: words(), network, env: (env) => environmentInside(env, inside) }
      }
      // Without a sandbox, a command runs in the copy, and only the person's mode says what it may do elsewhere.
      if (settings.use !== "on") return { how: "open" }
      const { because, advice } = answer
      return { how: "refused", problem: `There is no sandbox here: ${because}. ${advice}, ${WITHOUT_ONE}` }
    },
    async state() {
      if (!applies()) return undefined
      if (settings.use === "off" && !isCopy) return { state: "off" }
      const answer = closed ? undefined : await probed()
      // The session was closed meanwhile: nothing to report.
      if (closed || answer === undefined) return undefined
      if (answer.by === undefined) return { state: "none", because: answer.because }
      return { state: "confined", by: answer.by, network: settings.network }
    },
    close() {
      closed = true
      for (const folder of [temporary, staging]) {
        // What was started in it a moment ago may still be writing there.
        if (folder !== undefined) rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 })
      }
      temporary = undefined
      staging = undefined
      found = undefined
    },
  }
}

/** They name sockets and folders that do not exist inside. */
const OUTSIDE_ONLY = [
  "XDG_RUNTIME_DIR",
  "DBUS_SESSION_BUS_ADDRESS",
  "SSH_AUTH_SOCK",
  "SSH_AGENT_PID",
  "GPG_AGENT_INFO",
  "TMP",
  "TEMP",
]

function environmentInside(env: Readonly<Record<string, string>>, temporary: string): Record<string, string> {
  const kept = Object.entries(env).filter(([name]) => !OUTSIDE_ONLY.includes(name))
  return { ...Object.fromEntries(kept), TMPDIR: temporary }
}
