import { codex } from "../../../src/formats/codex/format.ts"
import { carriedOver } from "../carried-over.ts"
import { roundTrip } from "../round-trip.ts"

roundTrip(codex, { loses: "reasoning" })
carriedOver(codex, { reasoning: "lost" })
