import { onTestFinished } from "vitest"
import { hostContract } from "./host-contract.ts"
import { talk } from "./talk.ts"

hostContract((answers, changes) => {
  const { host, root } = talk(answers, changes)
  onTestFinished(() => host.close())
  return { host, again: () => host, root }
})
