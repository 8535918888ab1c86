// Sockets of other programs: each is a door out of the sandbox, because whoever listens does what it is asked.
import { existsSync, readFileSync, realpathSync, statSync } from "node:fs"
import { isWithin } from "../port/work-root.ts"
import { type SandboxFolders, TEMPORARY } from "./mounts.ts"

/**
 * The files of all sockets that programs on this machine have open now and that a command could otherwise reach. Those
 * of the workspace, and of folders that the person lets commands write to, stay open, except in hidden folders of the
 * person's home.
 */
export function foreignSockets(folders: SandboxFolders): string[] {
  const { ownSockets, running, needed, personHome } = folders
  const isHidden = (path: string) =>
    isWithin(TEMPORARY, path) ||
    (running.some((each) => isWithin(each, path)) && !needed.some((each) => isWithin(each, path)))
  const isOwn = (path: string) =>
    ownSockets.some((each) => isWithin(each, path) && !isDotted(each, path, personHome)) || isWithin(folders.home, path)
  return [...new Set(openSockets())].filter((path) => !isHidden(path) && !isOwn(path))
}

/** In `~/.docker` and the like, where the workspace is the home itself. */
function isDotted(folder: string, path: string, personHome: string | undefined): boolean {
  return personHome !== undefined && isWithin(folder, personHome) && path.startsWith(`${personHome}/.`)
}

/** Abstract sockets have no file: only the network's own namespace closes them. */
function openSockets(): string[] {
  return table().flatMap((line) => {
    const path = /^(?:\S+ +){6}\S+ (\/.+)$/.exec(line)?.[1]
    try {
      return path !== undefined && existsSync(path) && statSync(path).isSocket() ? [realpathSync(path)] : []
    } catch {
      return []
    }
  })
}

function table(): string[] {
  try {
    return readFileSync("/proc/net/unix", "utf8").split("\n")
  } catch {
    return []
  }
}
