// What the application needs of the process that it runs in.
import { randomBytes } from "node:crypto"
import type { AppDeps } from "../../app/port/app-deps.ts"
import type { Output } from "../port/cli.ts"
import { forgetKeys } from "./forget-keys.ts"

type ProcessDeps = Pick<AppDeps, "warn" | "newName" | "random" | "forgetKeys">

export function processDeps(err: Pick<Output, "write">): ProcessDeps {
  return {
    warn: (text) => err.write(`retcon: ${text}\n`),
    newName: () => randomBytes(8).toString("hex"),
    random: () => Math.random(),
    forgetKeys,
  }
}
