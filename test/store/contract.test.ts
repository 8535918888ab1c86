// Both stores of retcon pass the suite that every store passes.
import { describe, expect, test } from "vitest"
import { storeContract } from "../../src/store/contract.ts"
import { fileStore } from "../../src/store/file/file-store.ts"
import { memoryStore } from "../../src/store/memory/memory-store.ts"
import { parts, temporaryFolder } from "./kit.ts"

const runner = { describe, test, expect }

describe("in memory", () => {
  storeContract(runner, { open: memoryStore, ids: parts.ids })
})

describe("in files", () => {
  storeContract(runner, { open: () => fileStore({ home: temporaryFolder() }), ids: parts.ids })
})
