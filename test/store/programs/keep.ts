// Copies the sessions of pi in a person's home into retcon's: keep HOME PERSON. Prints how many files, or why not.
import { keep } from "../../../src/foreign/keep/keep.ts"
import { pi } from "../../../src/formats/pi/format.ts"
import { RetconError } from "../../../src/model/failure/retcon-error.ts"

const [home = "", person = ""] = process.argv.slice(2)
try {
  const places = { home, homes: { home: person, env: {} }, formats: [pi], now: () => Date.now() }
  const { files, busy } = await keep(places)
  console.log(busy === undefined ? String(files.length) : "busy")
} catch (error) {
  if (!(error instanceof RetconError)) throw error
  console.log(error.code)
}
