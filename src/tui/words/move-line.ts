// A move as it is typed, on the screen or as a line: options say what happens to the files, as on the command line.
import type { MoveRequest } from "../../protocol/host.ts"

const OPTION =
  /(?:^|\s)--(?:(ours|theirs|write-conflicts)|files[= ](keep|restore)|(only-certain)|keep[= ](?:"([^"]+)"|(\S+))|(even-if-running)|(yes))(?=\s|$)/

/** What a line wants for the files, and the rest of the line. `yes`: do not ask. */
export interface MoveLine {
  argument: string
  more: Pick<MoveRequest, "onConflict" | "files" | "keep" | "onlyCertain" | "evenIfRunning">
  yes: boolean
}

export function moveLine(typed: string): MoveLine {
  let [rest, yes] = [typed, false]
  const more: MoveLine["more"] = {}
  for (let found = OPTION.exec(rest); found !== null; found = OPTION.exec(rest)) {
    const [whole, conflict, files, certain, quoted, path = quoted, running] = found
    if (conflict !== undefined) more.onConflict = conflict as "ours" | "theirs" | "write-conflicts"
    else if (files !== undefined) more.files = files as "keep" | "restore"
    else if (certain !== undefined) more.onlyCertain = true
    else if (running !== undefined) more.evenIfRunning = true
    else if (path !== undefined) more.keep = [...(more.keep ?? []), path]
    else yes = true
    rest = rest.replace(whole, "")
  }
  return { argument: rest.trim(), more, yes }
}

/** Whether the line says what happens to every file, so that there is nothing to ask. */
export function isChosen({ more, yes }: MoveLine): boolean {
  return yes || more.keep !== undefined || more.onlyCertain === true
}
