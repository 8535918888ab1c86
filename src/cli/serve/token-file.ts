// The token of a running server, in files that nobody else may read: for the same person's programs, and for their browser.
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
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
