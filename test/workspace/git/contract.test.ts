import { describe } from "vitest"
import { workspaceContract } from "../contract.ts"
import { openAt } from "../folder.ts"

describe("git workspace", () => {
  workspaceContract((place) => openAt(place))
})
