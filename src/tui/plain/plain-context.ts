// What a command of the plain terminal works with.

import type { MoveResult } from "../../model/move/moved.ts"
import type { Host, HostSession } from "../../protocol/host.ts"

export interface PlainContext {
  session: HostSession
  argument: string
  host: Host
  cwd: string
  now: () => number
  say: (text: string) => void
  /** After a move: what it did. */
  tell: (answer: MoveResult) => void
  /** Asks, and acts on a yes. False if nobody can be asked now. */
  confirm: (question: string, act: () => Promise<void>) => boolean
  /** Returns what was done, in sentences. */
  exportSession: (session: HostSession, name: string) => Promise<string>
  doctor: (session: HostSession) => Promise<(width: number) => string[]>
}
