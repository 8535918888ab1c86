// The rewind list: the person's prompts, newest first, each with what they typed while the agent worked, and the ways to go back.
import type { EntryId } from "../../../model/id.ts"
import type { MovedFile } from "../../../model/move/moved.ts"
import { AGE_WIDTH, age, ago, count, LEFT_BY_BACKTRACK } from "../../../model/text/amounts.ts"
import { clip, pad, sanitiseLine } from "../../../model/text/sanitise.ts"
import type { HostSession, RoundAnswer, SessionContents } from "../../../protocol/host.ts"
import type { Overlay, OverlayHandle, OverlayHost } from "../../screen/overlay-host.ts"
import type { KeyPress } from "../../terminal/keys.ts"
import { charactersOf } from "../../text/hard-wrap.ts"
import { piece } from "../../text/line.ts"
import { filesWords } from "../../words/file-words.ts"
import { attempt } from "../frame/attempt.ts"
import { type KeyHint, listRow, makeFrame, searchLine } from "../frame/frame.ts"
import { makeSearchList } from "../list/search-list.ts"
import { inSlices } from "../list/slices.ts"
import { makeChooseWay, type Went } from "./choose-way.ts"

/** Resolves with what was carried out; undefined if the person left. */
export async function openRewind(host: OverlayHost, session: HostSession): Promise<Went | undefined> {
  return showWhenThere<RoundAnswer[], Went>(host, session.rounds(), (handle, rounds) =>
    makeRewind(handle, host, session, rounds.reverse()),
  )
}

const KEYS: readonly KeyHint[] = [
  ["Enter", "go back to it"],
  ["type", "to search"],
  ["↑↓", "choose"],
  ["Esc", "leave"],
]

/** How many characters of a prompt are shown. */
const SHOWN = 80
/** How many characters of a long prompt are examined to show it. */
const LOOKED_AT = 400

function makeRewind(
  handle: OverlayHandle<Went | undefined>,
  host: OverlayHost,
  session: HostSession,
  rounds: RoundAnswer[],
): Overlay {
  const { theme } = handle
  const items = rounds.flatMap(itemsOf)
  const noun = items.length === rounds.length ? "prompt" : "message"
  const list = makeSearchList({ size: items.length, textOf: (row) => items[row]?.said.text ?? "", now: handle.elapsed })
  const files = makeRoundFiles(session, rounds, handle.redraw)
  const slices = inSlices(() => {
    list.work()
    return list.searching
  }, handle.redraw)

  async function choose({ entry, said }: Item): Promise<void> {
    const title = [piece("Go back to: ", theme.quiet), piece(firstWords(said.text), theme.strong)]
    const right = [piece(ago(said.at, handle.now()), theme.quiet)]
    const target = { entry, title, right }
    const went = await host.showOverlay<Went | undefined>((own) => makeChooseWay(own, host, session, target))
    if (went !== undefined) handle.done(went)
  }

  function drawItem(row: number, chosen: boolean, width: number): string {
    const { said, round, passed } = items[row] as Item
    const when = pad(age(said.at, handle.now()), AGE_WIDTH, "left")
    const changed = round === undefined ? "" : filesWords(files.of(round))
    const mark = round === undefined ? [piece("+ ", theme.quiet)] : []
    const why = passed ? [piece(`  (${LEFT_BY_BACKTRACK})`, theme.quiet)] : []
    const left = [piece(`${when}  `, theme.quiet), ...mark, firstWords(said.text), ...why]
    return listRow(theme, chosen, left, width, changed === "" ? [] : [piece(clip(changed, 30), theme.quiet)])
  }

  return {
    render(width, height) {
      const found = list.query === "" ? count(list.total, noun) : `${list.size} of ${count(list.total, noun)}`
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
        files.want(rows.flatMap(({ row }) => items[row]?.round ?? []))
        return [top, ...rows.map(({ row, chosen }) => drawItem(row, chosen, width))]
      }
      return makeFrame(theme, { title: [piece("Rewind", theme.strong)], body, keys: KEYS }, width, height)
    },
    key(key) {
      const chosen = list.chosen
      if (key.name === "escape" || key.name === "ctrl+c") handle.done(undefined)
      else if (key.name === "enter") {
        const item = chosen === undefined ? undefined : items[chosen]
        if (item !== undefined) void choose(item)
      } else if (list.key(key) && list.searching) slices.wake()
    },
    close() {
      slices.stop()
      files.stop()
    },
  }
}

/** `round`: the position of a prompt's round, newest first; a message typed while the agent worked has none. */
interface Item {
  entry: EntryId
  said: { text: string; at: string }
  round?: number
  /** The agent's Backtrack left it behind. */
  passed: boolean
}

function itemsOf(round: RoundAnswer, at: number): Item[] {
  const passed = round.passed === true
  const steer = round.steer.map((each): Item => ({ entry: each.entry, said: each, passed }))
  return [{ entry: round.prompt, said: round, round: at, passed }, ...steer]
}

/** The first 80 characters of a prompt on one line. */
function firstWords(text: string): string {
  const line = sanitiseLine(text.slice(0, LOOKED_AT))
  if (line === "") return "(no text)"
  const characters = charactersOf(line)
  return characters.length > SHOWN ? `${characters.slice(0, SHOWN - 1).join("")}…` : line
}

interface FilesByRound {
  of(row: number): readonly MovedFile[]
  /** These rows are on the screen: counts lines for them, one round after the other. */
  want(rows: readonly number[]): void
  stop(): void
}

/** Which files each round changed, at once; how many lines, as soon as they are counted. `rounds`: newest first. */
function makeRoundFiles(session: SessionContents, rounds: readonly RoundAnswer[], redraw: () => void): FilesByRound {
  const counted = new Map<number, readonly MovedFile[]>()
  let wanted: readonly number[] = []
  let counting = false
  let stopped = false

  async function countAll(): Promise<void> {
    counting = true
    for (let row = next(); row !== undefined; row = next()) {
      counted.set(row, await countLines(row))
      redraw()
    }
    counting = false
  }

  function next(): number | undefined {
    return stopped ? undefined : wanted.find((row) => !counted.has(row) && (rounds[row]?.files.length ?? 0) > 0)
  }

  async function countLines(row: number): Promise<readonly MovedFile[]> {
    const round = rounds[row] as RoundAnswer
    const to = rounds[row - 1]?.prompt ?? "head"
    const paths = round.files.map(({ path }) => path)
    const answer = await attempt(() => session.diff({ from: round.prompt, to, paths }))
    if (answer.outcome === "refused") return round.files
    const lines = new Map(answer.files.map((file) => [file.path, file]))
    return round.files.map((file) => ({ ...lines.get(file.path), ...file }))
  }

  return {
    of: (row) => counted.get(row) ?? rounds[row]?.files ?? [],
    want(rows) {
      wanted = rows
      if (!counting && next() !== undefined) void countAll()
    },
    stop() {
      stopped = true
    },
  }
}

/**
 * An overlay over something that may have to be fetched first: keys pressed meanwhile are not lost. Contract: shown at
 * once, and empty until `value` is there. If that fails, it closes and throws; Esc leaves it.
 */
async function showWhenThere<Value, Result>(
  host: OverlayHost,
  value: Promise<Value>,
  make: (handle: OverlayHandle<Result | undefined>, value: Value) => Overlay,
): Promise<Result | undefined> {
  let failed: { error: unknown } | undefined
  const result = await host.showOverlay<Result | undefined>((handle) => {
    let shown: Overlay | undefined
    let closed = false
    const early: KeyPress[] = []
    const show = (there: Value) => {
      if (closed) return
      shown = make(handle, there)
      for (const key of early) shown.key(key)
      handle.redraw()
    }
    value.then(show).catch((error: unknown) => {
      failed = { error }
      handle.done(undefined)
    })
    return {
      render: (width, height) => shown?.render(width, height) ?? [],
      key(key) {
        if (shown !== undefined) shown.key(key)
        else if (key.name === "escape" || key.name === "ctrl+c") handle.done(undefined)
        else early.push(key)
      },
      close() {
        closed = true
        shown?.close?.()
      },
    }
  })
  if (failed !== undefined) throw failed.error
  return result
}
