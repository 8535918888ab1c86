// What a command of the plain terminal needs.
import type { MoveResult } from "../../model/move/moved.ts"
import type { Host, HostSession, SessionContents } from "../../protocol/host.ts"

export interface PlainContext {
  session: HostSession
  argument: string
  host: Host
  cwd: string
  now: () => number
  say: (text: string) => void
  /** Reports what a move did. */
  tell: (answer: MoveResult) => void
  /** Asks, and acts on a yes. False if nobody can be asked now. */
  confirm: (question: string, act: () => Promise<void>) => boolean
  /** Returns what was done, in sentences. */
  exportSession: (session: SessionContents, name: string) => Promise<string>
  doctor: (session: SessionContents) => Promise<(width: number) => string[]>
}
