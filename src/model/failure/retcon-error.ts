// The one error class: a failure that is thrown.
import { type Advice, adviceText } from "./advice.ts"
import type { Failure, FailureCode } from "./failure.ts"
import { wordsFor } from "./failure-words.ts"

/** The only error retcon throws on purpose. Everything else that escapes is a defect. */
export class RetconError extends Error {
  readonly failure: Failure
  /** For a shell: how the commands that the advice names have to name the session, such as " -s 7b0c26". */
  which?: string

  constructor(failure: Failure, options?: ErrorOptions) {
    super(wordsFor(failure).message, options)
    this.name = "RetconError"
    this.failure = failure
  }

  get code(): FailureCode {
    return this.failure.code
  }

  /** What to do next. */
  get advice(): Advice {
    return wordsFor(this.failure).advice
  }

  /** The advice as text that suits any front end. */
  get hint(): string {
    return adviceText(this.advice)
  }
}
