// The program that other agents run as a hook: `node hook.cjs AGENT`. It is small, as the rest comes in compiled form.
import { randomBytes, randomFillSync } from "node:crypto"
import { homedir } from "node:os"
import { text } from "node:stream/consumers"
import { keepCompiled } from "./process/compile-cache.ts"

const [agent = ""] = process.argv.slice(2)
keepCompiled("hook")
void import("../app/recording/run-hook.ts").then(({ runHook }) =>
  runHook(agent, {
    env: process.env,
    platform: process.platform,
    person: homedir(),
    now: () => Date.now(),
    random: (bytes) => void randomFillSync(bytes),
    newName: () => randomBytes(8).toString("hex"),
    read: () => text(process.stdin),
    end: () => process.exit(0),
  }),
)
