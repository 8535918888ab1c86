// A provider's protocol, as far as a fake model needs it: what was requested, and how to encode an answer.
import type { WireAnswer, WireReply, WireRequest } from "../../test/provider/wire/server.ts"
import type { Said } from "../said.ts"

export interface Protocol {
  /** Whether the request asks the model for an answer; all others get `elsewhere`. */
  asks(request: WireRequest): boolean
  said(request: WireRequest): Said[]
  /** A request without tools is the program's own, such as for a title. */
  hasTools(request: WireRequest): boolean
  /** `id` is new for each answer. */
  reply(answer: WireAnswer, id: string, request: WireRequest): WireReply
  elsewhere(request: WireRequest): WireReply
}
