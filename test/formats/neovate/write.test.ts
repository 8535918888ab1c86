import { neovate } from "../../../src/formats/neovate/format.ts"
import { roundTrip } from "../round-trip.ts"

roundTrip(neovate)
