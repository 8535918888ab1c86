// Takes and releases a lease as it is told on stdin. usage: take FILE [KIND]
import { createInterface } from "node:readline"
import type { ClaimKind } from "../../../src/store/file/locks/claim.ts"
import { fileLease } from "../../../src/store/file/locks/lease.ts"

const [file = "", kind = "file"] = process.argv.slice(2)
const lease = fileLease(file, () => Date.now(), kind as ClaimKind)
console.log("ready")
for await (const line of createInterface({ input: process.stdin })) {
  if (line === "release") await lease.release()
  const taken = line === "take" ? await lease.take() : { ok: false }
  console.log(taken.ok ? "mine" : "not mine")
}
