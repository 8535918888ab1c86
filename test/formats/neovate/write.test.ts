import { neovate } from "../../../src/formats/neovate/format.ts"
import { carriedOver } from "../carried-over.ts"
import { roundTrip } from "../round-trip.ts"

roundTrip(neovate)
carriedOver(neovate, { reasoning: "kept" })
