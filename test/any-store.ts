// What commands get: a store, and the rest of the application, with an empty home of a person for other agents' sessions.
import { join } from "node:path"
import { defaultSettings } from "../src/app/config/settings.ts"
import type { AppDeps } from "../src/app/port/app-deps.ts"
import { processDeps } from "../src/cli/machine.ts"
import { type AnyStore, anyStore } from "../src/foreign/any-store.ts"
import { foreignStore } from "../src/foreign/foreign-store.ts"
import { FORMATS } from "../src/formats/all/formats.ts"
import { systemOptions } from "../src/session/state/system.ts"
import { fileStore } from "../src/store/file/file-store.ts"

/** `home`: retcon's own. `person`: where other agents keep their folders. */
export function testStore(home: string, person: string, now: () => number): AnyStore {
  const foreign = foreignStore({ home, homes: { home: person, env: {} }, formats: FORMATS, now })
  return anyStore(fileStore({ home, now }), foreign)
}

/** The application on real files, with a clock of its own. */
export function testApp(home: string, cwd: string, now = () => Date.now()): AppDeps {
  return {
    ...processDeps({ write: () => undefined }),
    home,
    cwd,
    store: testStore(home, join(home, "nobody"), now),
    sessionOptions: systemOptions(),
    settings: defaultSettings(),
    made: { name: "test", version: "0" },
    now,
    env: {},
  }
}
