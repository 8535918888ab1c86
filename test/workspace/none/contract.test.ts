import { describe } from "vitest"
import { openNoWorkspace } from "../../../src/workspace/none/no-workspace.ts"
import { workspaceContract } from "../contract.ts"

describe("no workspace", () => {
  workspaceContract(async () => openNoWorkspace("files are switched off"))
})
