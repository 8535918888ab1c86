// How help shows a command or an option in a narrow terminal.
import { Help } from "commander"

/** A column of help with less room is not broken into lines. */
export const NARROWEST = 16

/** Two columns; if the second would be too narrow, a term's description goes below it. */
function itemOf(help: Help, [term, termWidth, description]: [string, number, string], helper: Help): string {
  const width = help.helpWidth ?? 80
  if (description === "" || width - termWidth - 4 >= NARROWEST) {
    return Help.prototype.formatItem.call(help, term, termWidth, description, helper)
  }
  const below = helper.boxWrap(description, width - 6).replaceAll("\n", "\n      ")
  return `  ${term}\n      ${below}`
}

export const LAYOUT = {
  formatItem(this: Help, term: string, termWidth: number, description: string, helper: Help): string {
    return itemOf(this, [term, termWidth, description], helper)
  },
}
