// What a slash command is, and what it may use.
import { RetconError } from "../../model/failure/retcon-error.ts"
import type { Keys } from "../terminal/key-map.ts"
import type { SessionServices, TuiDeps } from "./deps.ts"
import type { Notices } from "./notices.ts"
import type { OnScreen } from "./on-screen.ts"
import type { ShownSession } from "./shown-session.ts"
import type { MoveTeller } from "./tell-move.ts"

/** What a command may use. */
export interface CommandContext extends OnScreen, Notices, ShownSession, MoveTeller {
  keys: Keys
  deps: Pick<TuiDeps, "host" | "cwd" | keyof SessionServices>
  quit(farewell?: string): void
}

export interface Command {
  name: string
  /** For the argument; empty if it takes none. */
  hint: string
  about: string
  run(app: CommandContext, argument: string): Promise<void> | void
}

/** What follows the command makes no sense. */
export function invalid(problem: string, advice: string): RetconError {
  return new RetconError({ code: "invalid", problem, advice })
}
