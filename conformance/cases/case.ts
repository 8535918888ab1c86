// One thing that a program and retcon must agree on.
import type { Program } from "../programs/program.ts"
import type { Stage } from "../stage.ts"

/** `because`: what differed, why retcon refuses, or what the program does not have. */
export type Verdict = { is: "yes" } | { is: "no" | "refused" | "not tried"; because: string }

export interface Case {
  /** Its name in the table and on the command line. */
  name: string
  /** What must hold, as a sentence. */
  means: string
  /** Why it cannot be tried with a program. */
  cannot?(program: Program): string | undefined
  /** Returns what differs; undefined if everything is as it must be. Throws if the program or retcon fails, or retcon refuses. */
  differs(stage: Stage): Promise<string | undefined>
}
