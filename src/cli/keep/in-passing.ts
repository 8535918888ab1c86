// Other commands copy what is new in other agents' sessions, too: a little, now and then, and never at a person's cost.
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { forgetSize } from "../../foreign/keep/kept-size.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import { ensureFolder, errno, orNothing, replaceIfPossible } from "../../store/file/disk/problems.ts"
import type { Cli } from "../port/cli.ts"

/** Until it is done again. */
const PAUSE_MS = 10 * 60 * 1000
const MOST_MS = 50
/** What has more to copy is left to `retcon keep`: it would take longer than that. */
const MOST_BYTES = 4 * 1024 * 1024

/** Contract: takes at most about 50 ms, and never fails for anything that a system may refuse. */
export async function keepInPassing(cli: Cli): Promise<void> {
  if (cli.settings["keep.auto"] === "off" || !existsSync(cli.home) || !isDue(cli)) return
  // From the first question on: what the formats take to load is not lost, since most commands need them.
  let started: number | undefined
  const stop = () => {
    started ??= cli.now()
    return cli.now() - started > MOST_MS
  }
  try {
    const { files } = await cli.store.foreign.keep({ stop, most: MOST_BYTES })
    if (files.length > 0) forgetSize(cli.home)
  } catch (error) {
    // A full disk, a folder that may not be read: what was asked for comes first. `retcon keep` says what is wrong.
    if (!(error instanceof RetconError) && errno(error) === undefined) throw error
  }
}

function isDue(cli: Cli): boolean {
  const cache = join(cli.home, "cache")
  const file = join(cache, "kept-at")
  const last = orNothing(() => Number(readFileSync(file, "utf8"))) ?? 0
  if (last <= cli.now() && cli.now() - last < PAUSE_MS) return false
  orNothing(() => ensureFolder(cache))
  return replaceIfPossible(file, String(cli.now()))
}
