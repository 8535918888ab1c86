// A note for a session whose interrupted restore another session has finished, shown when that session is opened again.
import { createHash } from "node:crypto"
import fs from "node:fs"
import { errno } from "../../../model/failure/errno.ts"
import type { Recovered } from "../../port.ts"

type Finished = Exclude<Recovered, { outcome: "nothing" }>

function noteFile(folder: string, session: string): string {
  return `${folder}/recovered-${createHash("sha256").update(session).digest("hex").slice(0, 32)}`
}

export function leaveNote(folder: string, { outcome, id, session, files, left }: Finished): void {
  const fields = ["retcon recovered 1", outcome, id, session, String(files.length), ...files, ...left, "end"]
  fs.writeFileSync(noteFile(folder, session), fields.join("\0"), { mode: 0o600 })
}

/** Contract: a note is read once. Undefined: there is none, or it cannot be read. */
export function takeNote(folder: string, session: string): Finished | undefined {
  const file = noteFile(folder, session)
  let fields: string[]
  try {
    fields = fs.readFileSync(file, "utf8").split("\0")
  } catch (error) {
    if (errno(error) === "ENOENT") return undefined
    throw error
  }
  fs.rmSync(file, { force: true })
  const [kind, outcome, id = "", name = "", count = "", ...paths] = fields.slice(0, -1)
  if (kind !== "retcon recovered 1" || fields.at(-1) !== "end") return undefined
  if (outcome !== "rolled-back" && outcome !== "completed") return undefined
  return { outcome, id, session: name, files: paths.slice(0, Number(count)), left: paths.slice(Number(count)) }
}
