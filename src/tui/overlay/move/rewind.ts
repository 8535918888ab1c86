// The rewind list: the person's prompts, newest first, and the ways to go back to one.
import { AGE_WIDTH, age, ago } from "../../../model/text/age.ts"
import { count } from "../../../model/text/amounts.ts"
import { sanitiseLine } from "../../../model/text/sanitise.ts"
import { clip, pad } from "../../../model/text/width.ts"
import type { HostSession, RoundAnswer } from "../../../protocol/host.ts"
import type { Overlay, OverlayHandle, OverlayHost } from "../../overlay-host.ts"
import { charactersOf } from "../chop.ts"
import { type KeyHint, listRow, makeFrame, searchLine } from "../frame.ts"
import { piece } from "../line.ts"
import { makeSearchList } from "../list/search-list.ts"
import { inSlices } from "../list/slices.ts"
import { makeChooseWay, type Went } from "./choose-way.ts"
import { filesWords } from "./file-words.ts"
import { makeRoundFiles } from "./round-files.ts"

/** Resolves with what was carried out; undefined when the person left. */
export async function openRewind(host: OverlayHost, session: HostSession): Promise<Went | undefined> {
  return host.showOverlay<Went | undefined>((handle) => makeRewind(handle, host, session))
}

const KEYS: readonly KeyHint[] = [
  ["Enter", "go back to it"],
  ["type", "to search"],
  ["↑↓", "choose"],
  ["Esc", "leave"],
]

/** What is shown of a prompt, in characters. */
const SHOWN = 80
/** What is looked at of a long prompt to show it. */
const LOOKED_AT = 400

function makeRewind(handle: OverlayHandle<Went | undefined>, host: OverlayHost, session: HostSession): Overlay {
  const { theme } = handle
  const rounds = session.rounds().reverse()
  const textOf = (row: number) => rounds[row]?.text ?? ""
  const list = makeSearchList({ size: rounds.length, textOf, now: handle.now })
  const files = makeRoundFiles(session, rounds, handle.redraw)
  const slices = inSlices(() => {
    list.work()
    return list.searching
  }, handle.redraw)

  async function choose(round: RoundAnswer): Promise<void> {
    const title = [piece("Go back to: ", theme.quiet), piece(firstWords(round.text), theme.strong)]
    const right = [piece(ago(round.at, handle.now()), theme.quiet)]
    const target = { entry: round.prompt, title, right }
    const went = await host.showOverlay<Went | undefined>((own) => makeChooseWay(own, host, session, target))
    if (went !== undefined) handle.done(went)
  }

  function drawRound(row: number, chosen: boolean, width: number): string {
    const round = rounds[row] as RoundAnswer
    const when = pad(age(round.at, handle.now()), AGE_WIDTH, "left")
    const changed = filesWords(files.of(row))
    const left = [piece(`${when}  `, theme.quiet), firstWords(round.text)]
    return listRow(theme, chosen, left, width, changed === "" ? [] : [piece(clip(changed, 30), theme.quiet)])
  }

  return {
    render(width, height) {
      const found = list.query === "" ? count(list.total, "prompt") : `${list.size} of ${count(list.total, "prompt")}`
      const body = (room: number) => {
        const top = searchLine(
          theme,
          list.query,
          "Your prompts, newest first",
          list.searching ? `${found}…` : found,
          width,
        )
        if (list.total === 0) return [theme.quiet("There is no prompt to go back to yet.")]
        const rows = list.visible(Math.max(0, room - 1))
        files.want(rows.map(({ row }) => row))
        return [top, ...rows.map(({ row, chosen }) => drawRound(row, chosen, width))]
      }
      return makeFrame(theme, { title: [piece("Rewind", theme.strong)], body, keys: KEYS }, width, height)
    },
    key(key) {
      const chosen = list.chosen
      if (key.name === "escape" || key.name === "ctrl+c") handle.done(undefined)
      else if (key.name === "enter") {
        const round = chosen === undefined ? undefined : rounds[chosen]
        if (round !== undefined) void choose(round)
      } else if (list.key(key) && list.searching) slices.wake()
    },
    close() {
      slices.stop()
      files.stop()
    },
  }
}

/** The first 80 characters of a prompt on one line. */
function firstWords(text: string): string {
  const line = sanitiseLine(text.slice(0, LOOKED_AT))
  if (line === "") return "(no text)"
  const characters = charactersOf(line)
  return characters.length > SHOWN ? `${characters.slice(0, SHOWN - 1).join("")}…` : line
}
