// Folders that are gone and whose sessions would fit here, in words.
import { findMovedHere } from "../../app/library/find-moved.ts"
import { count } from "../../model/text/amounts.ts"
import { sanitiseLine, shellWord } from "../../model/text/sanitise.ts"
import type { Cli } from "../port/cli.ts"

/** How many folders are named. */
const MOST_TOLD = 3

/** What to tell a person, and what to type; empty if nothing fits. */
export async function movedHere(cli: Cli): Promise<string[]> {
  return (await findMovedHere(cli)).slice(0, MOST_TOLD).flatMap(({ folder, sessions, because }) => {
    const why = because === "repository" ? "its repository is this one" : "its files are here"
    return [
      `${sanitiseLine(folder)} is gone and has ${count(sessions, "session")}; ${why}.`,
      `Bring ${sessions === 1 ? "it" : "them"} here with: retcon moved ${shellWord(folder)}`,
    ]
  })
}
