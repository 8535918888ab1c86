// The one error class: a failure that is thrown.
import { type Advice, adviceText, type Failure, type FailureCode } from "./failure.ts"
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

/**
 * The system's name for what went wrong; undefined for an error that is not the system's. Not by `instanceof`: an error from a
 * `vm` has another class.
 */
export function errno(error: unknown): string | undefined {
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : undefined
  return typeof code === "string" ? code : undefined
}

/** The result of `work`; undefined if the system refuses it. */
export function orNothing<Value>(work: () => Value): Value | undefined {
  try {
    return work()
  } catch (error) {
    if (errno(error) === undefined) throw error
    return undefined
  }
}
