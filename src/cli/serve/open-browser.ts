// Shows a file in the person's browser. Where to find the page is printed in any case.
import { spawn } from "node:child_process"

/** Contract: `file` is all that others learn, because everybody on the machine can read the arguments of a program. */
export function openBrowser(file: string, env: Readonly<Record<string, string>>): void {
  const [program, ...words] = OPENERS[process.platform] ?? ["xdg-open"]
  const child = spawn(program as string, [...words, file], { env, stdio: "ignore", detached: true })
  child.on("error", () => undefined)
  child.unref()
}

const OPENERS: Readonly<Record<string, readonly string[]>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
}
