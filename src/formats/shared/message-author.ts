// Who said a message, and how we know.
import type { Origin, Role } from "../../model/record/origin.ts"

export interface MessageAuthor {
  role: Role
  origin: Origin
  /** With origin `command`: it started a turn, so it is a prompt. */
  turn?: true
  /** The field or the text that decided it. */
  why: string
}
