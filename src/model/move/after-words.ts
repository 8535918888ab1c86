// What a person must know after a move besides the files: what was brought, and what a restored lock file asks for.
import type { AdviceStep } from "../failure/failure.ts"
import { count } from "../text/amounts.ts"
import { clip, sanitiseLine } from "../text/sanitise.ts"
import type { Moved } from "./moved.ts"

/** Lock files, and the command that installs what they name. */
const INSTALLS: Readonly<Record<string, string>> = {
  "package-lock.json": "npm install",
  "npm-shrinkwrap.json": "npm install",
  "yarn.lock": "yarn install",
  "pnpm-lock.yaml": "pnpm install",
  "bun.lock": "bun install",
  "bun.lockb": "bun install",
  "deno.lock": "deno install",
  "Cargo.lock": "cargo fetch",
  "go.sum": "go mod download",
  "uv.lock": "uv sync",
  "poetry.lock": "poetry install",
  "Pipfile.lock": "pipenv install",
  "requirements.txt": "pip install -r requirements.txt",
  "Gemfile.lock": "bundle install",
  "composer.lock": "composer install",
  "mix.lock": "mix deps.get",
}

/** One sentence each. `print`: a next step in the front end's own words. */
export function afterWords(
  moved: Pick<Moved, "findings" | "files" | "filesMode" | "outcome">,
  print: (step: AdviceStep) => string,
): string[] {
  const { findings, outcome } = moved
  const told = findings === undefined ? [] : findingsWords(findings, outcome, print)
  return [...told, ...installWords(moved)]
}

/** What snapshots do not cover, such as installed packages, is as it was before the move. */
function installWords({ files, filesMode, outcome }: Pick<Moved, "files" | "filesMode" | "outcome">): string[] {
  if (filesMode !== "restore" || outcome === "unchanged") return []
  return files.flatMap(({ path, change }) => {
    const at = path.lastIndexOf("/")
    const command = change === "deleted" ? undefined : INSTALLS[path.slice(at + 1)]
    if (command === undefined) return []
    const where = at === -1 ? "" : ` in ${sanitiseLine(path.slice(0, at))}`
    return [
      `${sanitiseLine(path)} ${outcome === "planned" ? "would change" : "changed"}: what is installed is not part of that. Run ${command}${where}.`,
    ]
  })
}

const LONGEST_NAME = 60

function findingsWords(
  { name, rounds, note, asNote }: NonNullable<Moved["findings"]>,
  outcome: Moved["outcome"],
  print: (step: AdviceStep) => string,
): string[] {
  if (note === "") return []
  const which = `What was found on “${clip(sanitiseLine(name), LONGEST_NAME)}” (${count(rounds, "round")})`
  const planned = outcome === "planned"
  if (asNote === true) {
    const is = planned ? "would be left" : "is left"
    return [
      `${which} ${is} as a note for the next session of the agent here: nothing can be added to this one. See: ${print({ do: "notes" })}`,
    ]
  }
  return [`${which} ${planned ? "would be" : "is"} in the conversation, quoted and marked as not verified.`]
}
