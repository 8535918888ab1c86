import { kimiCode } from "../../../src/formats/kimi-code/format.ts"
import { roundTrip } from "../round-trip.ts"

roundTrip(kimiCode)
