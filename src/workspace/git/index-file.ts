// The index of a session, kept between runs.

import type { Session } from "./session.ts"
import { newFolder } from "./tree-index.ts"

export function loadIndex(_folder: string, _session: string): Pick<Session, "index" | "manifest" | "last"> {
  return { index: newFolder(undefined, ""), manifest: undefined, last: undefined }
}

export function saveIndex(session: Session): void {
  session.indexSaved = true
}
