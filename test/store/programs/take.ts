// Takes and releases a lease as it is told on stdin. usage: take FILE
import { createInterface } from "node:readline"
import { fileLease } from "../../../src/store/file/lease.ts"

const lease = fileLease(process.argv[2] ?? "", () => Date.now())
console.log("ready")
for await (const line of createInterface({ input: process.stdin })) {
  if (line === "release") await lease.release()
  const taken = line === "take" ? await lease.take() : { ok: false }
  console.log(taken.ok ? "mine" : "not mine")
}
