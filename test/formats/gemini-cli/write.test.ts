import { geminiCli } from "../../../src/formats/gemini-cli/format.ts"
import { roundTrip } from "../round-trip.ts"

roundTrip(geminiCli, { adds: "Got it. Thanks for the additional context!" })
