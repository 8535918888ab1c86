// Shows an address in the person's browser. It is printed in any case.
import { spawn } from "node:child_process"

export function openBrowser(url: string, env: Readonly<Record<string, string>>): void {
  const [program, ...words] = OPENERS[process.platform] ?? ["xdg-open"]
  const child = spawn(program as string, [...words, url], { env, stdio: "ignore", detached: true })
  child.on("error", () => undefined)
  child.unref()
}

const OPENERS: Readonly<Record<string, readonly string[]>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
}
