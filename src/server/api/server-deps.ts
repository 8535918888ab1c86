// What the server needs. Only the command line knows the machine; it passes these in.
import type { Json } from "../../model/json.ts"
import type { Host } from "../../protocol/host.ts"
import type { Library } from "../../protocol/library.ts"
import type { LiveModel } from "../../voice/live-model.ts"
import type { VoiceLogs } from "../../voice/voice-log.ts"
import type { BodyLimits } from "../guard/body.ts"
import type { BrowserKeys } from "../guard/browsers.ts"
import type { AllowedNames } from "../guard/request-origin.ts"
import type { Broadcast } from "../live/broadcast.ts"
import type { Hubs } from "../live/hubs.ts"
import type { PageFiles } from "../page/page.ts"

export interface ServerOptions {
  /** Gives full access. */
  token: string
  /** retcon's version, for the OpenAPI document. */
  version: string
  allowed: AllowedNames
  /** Milliseconds since 1970. */
  now: () => number
  /** Returns a different name on each call, even after a restart. */
  newName: () => string
  page?: PageFiles
  /** Without it, no browser is remembered. */
  browsers?: BrowserKeys
  /** Whether the path is absolute and names an existing folder, so that an agent can work there. */
  isFolder: (path: string) => Promise<boolean>
  /** Without it there is no voice. */
  voice?: ServerVoice
  /** Receives errors of work that no request waits for. */
  failed?: (error: unknown) => void
  limits?: Partial<ServerLimits>
}

export interface ServerVoice {
  logs: VoiceLogs
  /** Listens and speaks. Without it, the page uses the browser's own speech recognition. */
  model?: LiveModel
}

export interface ServerLimits {
  body: BodyLimits
  /** Milliseconds between a stream's keep-alive comments. */
  beat: number
}

/** What the endpoints need. */
export interface ServerDeps {
  host: Host
  library: Library
  hubs: Hubs
  /** Of the list of sessions. */
  list: Broadcast
  options: ServerOptions
  /** The OpenAPI document. */
  document: () => Json
  /** Aborts when the server begins to stop. */
  stopping: AbortSignal
}
