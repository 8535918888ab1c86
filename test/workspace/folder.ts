// Real folders for tests: a workspace, retcon's home, and the whole state of a folder as one comparable value.
import { execFileSync } from "node:child_process"
import { createHash, randomBytes } from "node:crypto"
import fs from "node:fs"
import os from "node:os"
import nodePath from "node:path"
import { afterEach, beforeEach } from "vitest"
import { type OpenRequest, openGitWorkspace } from "../../src/workspace/git/git-workspace.ts"
import type { Workspace } from "../../src/workspace/port.ts"

export type Place = { base: string; root: string; home: string }

export function newPlace(): Place {
  const base = fs.realpathSync(fs.mkdtempSync(nodePath.join(os.tmpdir(), "retcon-workspace-")))
  const place = { base, root: nodePath.join(base, "work"), home: nodePath.join(base, "home") }
  fs.mkdirSync(place.root)
  return place
}

export function removePlace(place: Place): void {
  fs.rmSync(place.base, { recursive: true, force: true })
}

/** A new place for each test, under one name. */
export function placeForEach(): Place {
  const place = {} as Place
  beforeEach(() => void Object.assign(place, newPlace()))
  afterEach(() => removePlace(place))
  return place
}

export function openAt(place: Place, more: Partial<OpenRequest> = {}): Promise<Workspace> {
  const newId = () => randomBytes(8).toString("hex")
  return openGitWorkspace({ root: place.root, home: place.home, session: "one", clock: Date.now, newId, ...more })
}

export function put(place: Place, path: string, content: string | Buffer, mode?: number): void {
  const file = nodePath.join(place.root, path)
  fs.mkdirSync(nodePath.dirname(file), { recursive: true })
  fs.writeFileSync(file, content)
  if (mode !== undefined) fs.chmodSync(file, mode)
}

export function get(place: Place, path: string): string | undefined {
  const file = nodePath.join(place.root, path)
  return fs.existsSync(file) ? fs.readFileSync(file, "utf8") : undefined
}

/** Runs git with no configuration but what the repository itself holds. */
export function git(folder: string, ...args: string[]): string {
  return execFileSync("git", args, {
    cwd: folder,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH: process.env.PATH,
      HOME: "/nonexistent",
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_AUTHOR_NAME: "a",
      GIT_AUTHOR_EMAIL: "a@example.com",
      GIT_COMMITTER_NAME: "a",
      GIT_COMMITTER_EMAIL: "a@example.com",
    },
  })
}

/** Every file, link and folder below, with permissions and content: equal means equal bit for bit. */
export function picture(folder: string, options: { without?: string[] } = {}): Record<string, string> {
  const seen: Record<string, string> = {}
  const visit = (at: Buffer, shown: string) => {
    for (const name of fs.readdirSync(at, { encoding: "buffer" })) {
      const path = Buffer.concat([at, Buffer.from("/"), name])
      const label = shown === "" ? name.toString("latin1") : `${shown}/${name.toString("latin1")}`
      if (options.without?.includes(label)) continue
      const stat = fs.lstatSync(path)
      const perm = (stat.mode & 0o7777).toString(8)
      if (stat.isDirectory()) {
        seen[label] = `folder ${perm}`
        visit(path, label)
      } else if (stat.isSymbolicLink()) seen[label] = `link ${fs.readlinkSync(path, "latin1")}`
      else if (stat.isFile())
        seen[label] = `file ${perm} ${createHash("sha1").update(fs.readFileSync(path)).digest("hex")}`
      else seen[label] = "other"
    }
  }
  visit(Buffer.from(folder), "")
  return seen
}
