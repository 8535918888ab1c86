import { describe } from "vitest"
import { openNoWorkspace } from "../../../src/workspace/none/open.ts"
import { workspaceContract } from "../contract.ts"

describe("no workspace", () => {
  workspaceContract(async () => openNoWorkspace("files are switched off"))
})
