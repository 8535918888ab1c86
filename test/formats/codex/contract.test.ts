import { readdirSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { codex } from "../../../src/formats/codex/format.ts"
import { formatContract } from "../contract.ts"

const SAMPLES = join(import.meta.dirname, "samples")

/** A thread by how the name of its first file ends, in a folder with all it is made of. */
function sample(folder: string, ending: string) {
  const names = readdirSync(join(SAMPLES, folder))
  return {
    path: join(SAMPLES, folder, names.find((name) => name.endsWith(`${ending}.jsonl`)) as string),
    folder: join(SAMPLES, folder),
  }
}

/** Codex writes to the last file of the thread. */
function lastFile(path: string): string {
  const thread = basename(path).slice(28, 64)
  const names = readdirSync(dirname(path)).filter((name) => name.includes(thread))
  return join(dirname(path), names.toSorted().at(-1) as string)
}

formatContract(
  codex,
  [
    { ...sample("reverted", "ff59ca72fede"), prompts: ["u1 hello", "u2z"] },
    {
      ...sample("reverted", "632706d0f450"),
      prompts: [
        "u1 hello",
        "u2 THINK TOOLWRITE TOOLBASH PARALLEL",
        "u3 three",
        "u4b after revert",
        "u5c",
        "u6 in fork",
      ],
    },
    { ...sample("sub-agent", "7ea80e73dddd"), prompts: ["u1 hello", "u2 TOOLWRITE SUBAGENT please", "u3 bye"] },
    { ...sample("sub-agent", "7be3a2833e42"), prompts: [] },
  ],
  { grows: lastFile, unknownLine: '{"timestamp":"2026-11-16T17:00:00.000Z","type":"of-tomorrow","payload":{}}' },
)
