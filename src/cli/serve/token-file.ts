// The token of a running server, in files that nobody else may read: for the same person's programs, and for their browser.
import { randomBytes } from "node:crypto"
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { RetconError } from "../../model/failure/retcon-error.ts"
import { parseJson } from "../../model/json.ts"
import type { BrowserKeys } from "../../server/guard/browsers.ts"
import { fail, orNothing } from "../../store/file/disk/problems.ts"
import { temporaryBeside } from "../../store/file/disk/temporary-beside.ts"

export interface Serving {
  url: string
  token: string
  pid: number
}

export interface TokenFile {
  path: string
  /** A page that leads to the server's, with the token. To open a browser with: everybody can read the arguments of a program. */
  page: string
  /** Contract: only the first call removes the files; those that appear later belong to another server. */
  remove(): void
}

/** Named by the port, so that each of several servers has its own. */
export function writeTokenFile(home: string, port: number, serving: Serving): TokenFile {
  const folder = join(home, "serve")
  const [path, page] = [join(folder, `${port}.json`), join(folder, `${port}.html`)]
  const removeBoth = () => {
    for (const file of [path, page]) orNothing(() => rmSync(file, { force: true }))
  }
  replace(folder, path, `${JSON.stringify(serving)}\n`)
  try {
    replace(folder, page, leadingTo(pageAddress(serving)))
  } catch (error) {
    removeBoth()
    throw error
  }
  let removed = false
  return {
    path,
    page,
    remove() {
      if (!removed) removeBoth()
      removed = true
    },
  }
}

/** The keys of the browsers that have opened the page on this port: they get the token of the next server there. */
export function browserKeys(home: string, port: number, now: () => number): BrowserKeys {
  const folder = join(home, "serve")
  const path = join(folder, `${port}.browsers.json`)
  return {
    now,
    random: () => randomBytes(24).toString("base64url"),
    read() {
      const text = orNothing(() => readFileSync(path, "utf8"))
      const parsed = text === undefined ? undefined : parseJson(text)
      return parsed?.ok === true ? parsed.value : undefined
    },
    write(value) {
      try {
        replace(folder, path, `${JSON.stringify(value)}\n`)
      } catch (error) {
        // Then this browser is asked for the address after the next start.
        if (!(error instanceof RetconError)) throw error
      }
    },
  }
}

/** Contract: throws what keeps a browser from being forgotten. */
export function forgetBrowsers(home: string): number {
  const folder = join(home, "serve")
  const files = (orNothing(() => readdirSync(folder)) ?? []).filter((name) => name.endsWith(".browsers.json"))
  for (const name of files) rmSync(join(folder, name), { force: true })
  return files.length
}

/** Replaced: an existing one may be readable by others. */
function replace(folder: string, path: string, content: string): void {
  const temporary = temporaryBeside(path)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    writeFileSync(temporary, content, { mode: 0o600, flag: "wx" })
    renameSync(temporary, path)
  } catch (error) {
    orNothing(() => rmSync(temporary, { force: true }))
    fail(error, path)
  }
}

/** With the token after the `#`, which browsers do not send. */
export function pageAddress({ url, token }: Pick<Serving, "url" | "token">): string {
  return `${url}/#token=${token}`
}

function leadingTo(address: string): string {
  const quoted = address.replace(/&/g, "&amp;").replace(/"/g, "&quot;").replace(/</g, "&lt;")
  return `<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url=${quoted}">
<title>retcon</title>
<a href="${quoted}">retcon</a>
`
}
