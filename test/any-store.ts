// The store that commands get, with an empty home of a person for other agents' sessions.
import { type AnyStore, anyStore } from "../src/foreign/any-store.ts"
import { foreignStore } from "../src/foreign/foreign-store.ts"
import { FORMATS } from "../src/formats/all/formats.ts"
import { fileStore } from "../src/store/file/file-store.ts"

/** `home`: retcon's own. `person`: where other agents keep their folders. */
export function testStore(home: string, person: string, now: () => number): AnyStore {
  const foreign = foreignStore({ home, homes: { home: person, env: {} }, formats: async () => FORMATS, now })
  return anyStore(fileStore({ home, now }), foreign)
}
