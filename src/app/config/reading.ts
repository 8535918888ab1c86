// What the agent reads of people's own files, what it leaves out and why: one answer for its prompt, for /NAME and for /context.
import { join } from "node:path"
import { isHidden, makePolicy } from "../../agent/permission/policy.ts"
import { findInstructions, type Instructions } from "../../agent/prompt/instructions.ts"
import { findPromptFiles, type PromptFile, promptFilesHash } from "../../agent/prompt/prompt-files.ts"
import type { Trust } from "../../agent/prompt/trust.ts"
import type { ReadingRow } from "../../protocol/shapes.ts"
import { readAgentConfig } from "./agent-config.ts"
import { readClaudeRules } from "./claude-settings.ts"
import { ownConfig, promptFilesTrust } from "./folder-trust.ts"

/** retcon's home, and the environment with the person's. */
interface Place {
  home: string
  env: Readonly<Record<string, string | undefined>>
}

export interface AgentReading {
  instructions: Instructions[]
  /** Skills and commands that may be used. */
  files: PromptFile[]
  rows: ReadingRow[]
}

/** `cwd`: the workspace. Contract: nothing outside it is read because a file in it says so. */
export async function readingOf(app: Place, cwd: string): Promise<AgentReading> {
  const { HOME } = app.env
  const person = HOME === undefined ? {} : { person: { home: HOME, own: app.home } }
  const { instructions, withheld } = await findInstructions(cwd, { ...person, hidden: hiddenFrom(app, cwd) })
  const { files, usable, trust } = promptFilesOf(app, cwd)
  return {
    instructions,
    files: usable,
    rows: [
      ...instructions.map(instructionRow),
      ...withheld.map(({ path, because }): ReadingRow => ({ kind: "instructions", path, used: false, because })),
      ...readClaudeRules(cwd, HOME).rows,
      ...files.map((file): ReadingRow => {
        const { kind, name, description: about, path, whose } = file
        return {
          kind,
          name,
          about,
          path,
          used: usable.includes(file),
          because: whose === "person" ? OF_PERSON : TRUST_WORDS[trust],
        }
      }),
    ],
  }
}

export interface TrustedFiles {
  files: PromptFile[]
  /** The person's, and those of a folder that is trusted. */
  usable: PromptFile[]
  hash: string
  trust: Trust
}

/** All skills and commands, and whether the person trusts those of the folder. */
export function promptFilesOf(app: Place, cwd: string): TrustedFiles {
  const files = findPromptFiles(cwd, app.env.HOME, hiddenFrom(app, cwd))
  const hash = promptFilesHash(files)
  const trust = promptFilesTrust(cwd, ownConfig(app.home), hash)
  return { files, usable: files.filter(({ whose }) => whose === "person" || trust === "trusted"), hash, trust }
}

const OF_PERSON = "yours, for every project"
const TRUST_WORDS: Readonly<Record<Trust, string>> = {
  trusted: "the project's, which you trust",
  untrusted: "you do not trust this folder: retcon config trust yes",
  unknown: "you have not been asked, or it has changed since: retcon config trust yes",
}

function instructionRow({ path, text, cut, whose, from }: Instructions): ReadingRow {
  const of = from === undefined ? (whose === "person" ? OF_PERSON : "the project's") : `imported by ${from}`
  const because = cut ? `${of}; only its beginning, because it is long` : of
  return { kind: "instructions", path, bytes: Buffer.byteLength(text), used: true, because }
}

/** What a rule forbids to read does not come in by another way; nor does what retcon keeps, except the person's own instructions. */
function hiddenFrom(app: Place, cwd: string): (path: string) => boolean {
  const { policy } = makePolicy({
    mode: "default",
    deny: [...readAgentConfig(app.home, cwd).deny, ...readClaudeRules(cwd, app.env.HOME).deny],
  })
  const own = { folder: app.home, scratch: join(app.home, "scratch"), names: [] }
  return (path) =>
    path !== join(app.home, "AGENTS.md") && isHidden(path, { root: cwd, home: app.env.HOME, own }, policy)
}
