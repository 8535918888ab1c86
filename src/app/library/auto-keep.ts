// Other commands also copy what is new in other agents' sessions: a little, now and then, without making anyone wait.
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { forgetSize } from "../../foreign/keep/kept-size.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import { ensureFolder, errno, orNothing, replaceIfPossible } from "../../store/file/disk/problems.ts"
import type { AppDeps } from "../port/app-deps.ts"

/** How long to wait before doing it again. */
const PAUSE_MS = 10 * 60 * 1000
const MOST_MS = 50
/** Files with more to copy are left to `retcon keep`: they would take longer than that. */
const MOST_BYTES = 4 * 1024 * 1024

/** Contract: takes at most about 50 ms, and never fails because the system refuses something. */
export async function autoKeep(deps: AppDeps): Promise<void> {
  if (deps.settings["keep.auto"] === "off" || !existsSync(deps.home) || !isDue(deps)) return
  // Counted from the first question on: loading the formats is not wasted, since most commands need them.
  let started: number | undefined
  const stop = () => {
    started ??= deps.now()
    return deps.now() - started > MOST_MS
  }
  try {
    const { files } = await deps.store.foreign.keep({ stop, most: MOST_BYTES })
    if (files.length > 0) forgetSize(deps.home)
  } catch (error) {
    // A full disk, a folder that may not be read: the actual command comes first. `retcon keep` says what is wrong.
    if (!(error instanceof RetconError) && errno(error) === undefined) throw error
  }
}

function isDue(deps: AppDeps): boolean {
  const cache = join(deps.home, "cache")
  const file = join(cache, "kept-at")
  const last = orNothing(() => Number(readFileSync(file, "utf8"))) ?? 0
  if (last <= deps.now() && deps.now() - last < PAUSE_MS) return false
  orNothing(() => ensureFolder(cache))
  return replaceIfPossible(file, String(deps.now()))
}
