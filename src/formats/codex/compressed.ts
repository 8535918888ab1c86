// Rollouts that Codex compressed because they had not been used for long. Node has no zstd before version 22, so they
// are listed, and opening one says how to unpack it.
import { basename } from "node:path"
import { RetconError } from "../../model/failure/retcon-error.ts"
import { shellWord } from "../../model/text/sanitise.ts"
import { sessionIdOf } from "../ids.ts"
import type { Glance, SessionPlace } from "../port.ts"
import { type RolloutName, rolloutName } from "./rollout-name.ts"

const COMPRESSED = ".jsonl.zst"
const MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])

/** Parses the name of such a file; undefined for any other. */
export function compressedName(path: string): RolloutName | undefined {
  const name = path.endsWith(COMPRESSED) ? rolloutName(path.slice(0, -".zst".length)) : undefined
  return name === undefined ? undefined : { ...name, path }
}

export function isCompressed(path: string, head: Buffer | undefined): boolean {
  return path.endsWith(COMPRESSED) && head?.subarray(0, MAGIC.length).equals(MAGIC) === true
}

export function compressedGlance({ path }: SessionPlace): Glance | undefined {
  const name = compressedName(path)
  if (name === undefined) return undefined
  const title = "(compressed by Codex; unpack it with zstd -d)"
  return { name: name.thread, id: sessionIdOf("codex", name.thread), cwd: undefined, title }
}

export function cannotUnpack(path: string): RetconError {
  const copy = basename(path, ".zst")
  const unpack = `Unpack a copy with: zstd -d ${shellWord(path)} -o ${shellWord(copy)}, and open it with: `
  const advice = [unpack, { do: "open-file", file: copy } as const]
  return new RetconError({ code: "invalid", problem: `Codex has compressed this session: ${path}`, advice })
}
