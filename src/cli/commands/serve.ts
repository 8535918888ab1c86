// retcon serve: a page and an API for all sessions on this machine.
import { randomBytes } from "node:crypto"
import { makeHost } from "../../app/host.ts"
import { libraryApart } from "../../app/library/library-apart.ts"
import { type AgentOptions, hostDeps } from "../../app/setup/make-host-deps.ts"
import { type Listening, listen } from "../../server/node/listen.ts"
import { makeServer, type Server } from "../../server/server.ts"
import { checkAllowed } from "../config/allow-option.ts"
import type { Cli } from "../port/cli.ts"
import { EXIT } from "../port/errors.ts"
import { onStop } from "../process/interrupt.ts"
import { isFolder } from "../serve/is-folder.ts"
import { allowedAt, type ListenAddressOptions, listenAddress } from "../serve/listen-address.ts"
import { onPort } from "../serve/on-port.ts"
import { openBrowser } from "../serve/open-browser.ts"
import { pageFiles, pageFolder } from "../serve/page-files.ts"
import { browserKeys, forgetBrowsers, pageAddress, type TokenFile, writeTokenFile } from "../serve/token-file.ts"
import { serverVoice } from "../serve/voice.ts"

export interface ServeOptions extends AgentOptions, ListenAddressOptions {
  /** False with --no-open. */
  open?: boolean
  /** False with --no-remember. */
  remember?: boolean
  json?: boolean
}

export async function run(cli: Cli, options: ServeOptions): Promise<number> {
  checkAllowed(options.allow)
  const where = listenAddress(cli, options)
  if (options.remember === false) forgetBrowsers(cli.home)
  const composition = await hostDeps(cli, { ...options, watched: cli.out.isTerminal })
  const session = { ...composition.deps.session, via: "api" as const }
  const host = makeHost({ ...composition.deps, session }, options.model, { sessions: "apart" })
  const token = randomBytes(32).toString("base64url")
  let server: Server | undefined
  const make = (port: number) =>
    (server = makeServer(host, libraryApart(cli), {
      token,
      version: cli.made.version,
      allowed: allowedAt(where.urls(port)),
      now: () => performance.now(),
      failed: (error) => cli.err.write(`retcon: ${error instanceof Error ? error.message : String(error)}\n`),
      newName: () => randomBytes(6).toString("base64url"),
      page: pageFiles(pageFolder()),
      ...(options.remember !== false && { browsers: browserKeys(cli.home, port, cli.now) }),
      isFolder,
      voice: serverVoice(cli, cli.env),
    }))
  let [stop, socket, file]: [() => void, Listening?, TokenFile?] = [() => undefined]
  const stopped = new Promise<void>((settle) => (stop = onStop(() => settle())))
  try {
    // Now, and not at the first prompt of somebody who does not see this terminal.
    if (options.model !== undefined) await composition.deps.model(options.model)
    socket = await onPort(options.port, where.address, (port) => listen(make, { ...where, port }))
    const [url = ""] = where.urls(socket.port)
    file = writeTokenFile(cli.home, socket.port, { url, token, pid: process.pid })
    if (options.json === true) cli.out.write(`${JSON.stringify({ url, token })}\n`)
    else {
      for (const notice of composition.notices) cli.err.write(`${notice}\n`)
      cli.out.write(`retcon is at ${pageAddress({ url, token })}\nStop it with Ctrl-C.\n`)
    }
    if (options.open !== false && cli.out.isTerminal) openBrowser(file.page, composition.personEnv)
    await stopped
    if (options.json !== true) cli.err.write("Stopping.\n")
    // Before the port is free: the next server on that port writes a file of the same name.
    file.remove()
    await server?.close()
  } finally {
    stop()
    file?.remove()
    await socket?.close()
    await host.close()
    await composition.close()
  }
  return EXIT.done
}
