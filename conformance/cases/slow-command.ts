// A command that runs for as long as a case needs it to, however busy the machine is.
import { existsSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Stage } from "../stage.ts"
import { until } from "../waits.ts"

export class SlowCommand {
  readonly #begun: string
  readonly #over: string

  constructor({ place }: Stage) {
    this.#begun = join(place.home, "slow-command-begun")
    this.#over = join(place.home, "slow-command-over")
    for (const file of [this.#begun, this.#over]) rmSync(file, { force: true })
  }

  /** `then`: what it runs at its end. */
  text(then: string): string {
    return `touch ${this.#begun}; while [ ! -e ${this.#over} ]; do sleep 0.1; done; ${then}`
  }

  /** Resolves when it runs. */
  begun(): Promise<void> {
    return until(
      () => existsSync(this.#begun),
      () => "the command did not begin",
    )
  }

  /** Contract: called in any case, because nothing else ends it. */
  end(): void {
    writeFileSync(this.#over, "")
  }
}
