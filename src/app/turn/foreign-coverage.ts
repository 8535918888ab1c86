// Snapshots around what another agent's program does while retcon drives it, so that its hooks need not be installed for a move to
// bring the files along. It does not wait for us, except at a question: a call counts from the newest snapshot before it.
import { isAbsolute, resolve } from "node:path"
import { callEffect } from "../../history/files/call-effect.ts"
import { chain } from "../../history/tree/tree.ts"
import type { Advice } from "../../model/failure/failure.ts"
import type { EntryId } from "../../model/id.ts"
import type { Json } from "../../model/json.ts"
import { KIND } from "../../model/record/record.ts"
import { commandIn } from "../../model/record/tool-words.ts"
import { serial } from "../../model/serial.ts"
import { reasonOf } from "../../runner/port/coverage.ts"
import type { CoveredCall, OpenSpan } from "../../session/files/known/call-snapshots.ts"
import { pathsInside } from "../../session/files/known/paths-inside.ts"
import type { Session } from "../../session/session.ts"
import type { EmitEvent } from "../port/event-feed.ts"
import { warning } from "../port/notice.ts"

export interface ForeignCoverage {
  /** Before anything of a turn: resolves when the files are saved. */
  begins(): Promise<void>
  /** The prompt is in the file. */
  begun(prompt: EntryId): void
  /** It waits for an answer before it makes a call: resolves when the files are saved as they are now. */
  waits(call: string): Promise<void>
  callBegins(call: string, name: string, input: Json): void
  callEnds(call: string): void
  /** Resolves when everything is recorded. */
  ends(prompt: EntryId | undefined): Promise<void>
}

/** `told`: what the person has been told already, in this and earlier turns. Contract: nothing of it rejects. */
export function foreignCoverage(
  session: Pick<Session, "files" | "history">,
  { root, emit, told }: { root: string; emit: EmitEvent; told: Set<string> },
): ForeignCoverage {
  const { files } = session
  const open = new Map<string, OpenSpan>()
  const queue = serial()

  function tellNotCovered(why: string, advice?: Advice): void {
    const words = `Files are not covered: ${why}`
    if (!told.has(words)) emit(warning(words, advice))
    told.add(words)
  }

  /** One after the other, in the order of what happened. */
  function next(work: () => Promise<unknown>): Promise<void> {
    return queue.run(async () => {
      try {
        await work()
      } catch (error) {
        const { text, advice } = reasonOf(error)
        tellNotCovered(text, advice)
      }
    })
  }

  async function begin(call: CoveredCall): Promise<void> {
    const span = await files.openSpan(call, "newest")
    if (span !== undefined) open.set(call.call, span)
  }

  async function close(call: string): Promise<void> {
    const span = open.get(call)
    open.delete(call)
    if (span !== undefined && !isHooked(call, "after")) await files.closeSpan(span)
  }

  /** The agent's own hook was first. */
  function isHooked(call: string, when: "before" | "after"): boolean {
    for (const row of chain(session.history, KIND.snapshot)) {
      const record = session.history.record(row)
      if (record?.type !== "snapshot" || (record.when === "before" && record.hook?.call === undefined)) return false
      if (record.hook?.call === call && record.when === when) return true
    }
    return false
  }

  return {
    begins() {
      const { unavailable } = files
      if (unavailable !== undefined) tellNotCovered(`${unavailable.reason}.`, unavailable.advice)
      return next(() => files.look())
    },
    begun: (prompt) => void next(() => files.markRound(prompt, "before", "newest")),
    waits: (call) =>
      next(async () => {
        await files.look()
        const begun = open.get(call)
        if (begun !== undefined) await begin(begun)
      }),
    callBegins(call, name, input) {
      const effect = callEffect({ name, input })
      if (effect.kind === "none") return
      const named = effect.kind === "edit" ? effect.paths : undefined
      const paths = named?.map((path) => (isAbsolute(path) ? path : resolve(root, path)))
      const within = paths === undefined ? {} : { paths: pathsInside(root, paths) }
      void next(async () => {
        if (open.has(call) || isHooked(call, "before")) return
        await begin({ entry: null, call, theirs: { command: commandIn(input) }, ...within })
      })
    },
    callEnds: (call) => void next(() => close(call)),
    ends: (prompt) =>
      next(async () => {
        for (const call of open.keys()) await close(call)
        if (prompt !== undefined) await files.markRound(prompt, "after")
      }),
  }
}
