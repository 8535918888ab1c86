// The same contract as in process, over the server's `fetch`: no socket.
import { onTestFinished } from "vitest"
import { hostContract } from "../app/host-contract.ts"
import { connected } from "./connected.ts"

hostContract((answers, changes) => {
  const at = connected(answers, changes)
  onTestFinished(() => at.client.close())
  return { host: at.client, again: () => at.another(), root: at.root }
})
