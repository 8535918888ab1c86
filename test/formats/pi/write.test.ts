import { pi } from "../../../src/formats/pi/format.ts"
import { carriedOver } from "../carried-over.ts"
import { roundTrip } from "../round-trip.ts"

roundTrip(pi)
carriedOver(pi, { reasoning: "kept" })
