// The port that the server gets, or why it gets none.
import type { Advice } from "../../model/failure/failure.ts"
import { errno, RetconError } from "../../model/failure/retcon-error.ts"

/** Where it listens by default. */
const USUAL_PORT = 4180

const OTHER_PORT = "Choose another with --port, or leave it out."
const OTHER_ADDRESS = "Choose another with --host, or leave it out."

/** The usual port may be taken, for example by another server like this; one that was requested must be free. */
export async function onPort<Started>(
  asked: number | undefined,
  address: string,
  start: (port: number) => Promise<Started>,
): Promise<Started> {
  try {
    return await start(asked ?? USUAL_PORT)
  } catch (error) {
    const code = errno(error)
    if (code === "EADDRINUSE" && asked === undefined) return start(0)
    if (code === undefined || !code.startsWith("E")) throw error
    const [problem, advice] = wordsFor(code, asked ?? USUAL_PORT, address)
    throw new RetconError({ code: "invalid", problem, advice }, { cause: error })
  }
}

function wordsFor(code: string, port: number, address: string): [problem: string, advice: Advice] {
  switch (code) {
    case "EADDRINUSE":
      return [`Port ${port} is in use.`, OTHER_PORT]
    case "EACCES":
      return [`You have no permission to listen on port ${port}.`, OTHER_PORT]
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return [`${address} is not an address of this machine.`, OTHER_ADDRESS]
    default:
      return [`The server cannot listen on ${address}, port ${port}: ${code}.`, OTHER_PORT]
  }
}
