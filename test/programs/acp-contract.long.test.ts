import { programContract } from "./contract.ts"
import { fakeAcp } from "./fake-acp.ts"

programContract("a program that speaks the Agent Client Protocol", { program: (start) => fakeAcp(start) })
