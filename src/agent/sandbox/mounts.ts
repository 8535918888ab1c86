// What a confined command sees of the file system, as a list of mounts. Pure; what exists was determined before.
import { isWithin } from "../../model/within.ts"
import type { CopyInPlace } from "./port.ts"

export type Mount =
  /** The folder or file itself, read-only or not. */
  | { kind: "write"; path: string }
  /** `from`: another folder in its place. */
  | { kind: "read"; path: string; from?: string }
  /** Another folder in place of `path`, writable. */
  | { kind: "private"; path: string; from: string }
  /** An empty folder, or an empty file in place of a file or a socket. */
  | { kind: "empty-folder" | "empty-file"; path: string }
  | { kind: "devices" | "processes"; path: string }

export interface SandboxFolders {
  /** The workspace. All paths are real ones, without links. */
  root: string
  /** What commands see in its place. */
  copy?: CopyInPlace
  /** What else commands may write to: caches, and a repository outside the workspace. */
  write: readonly string[]
  /** Mounted as `/tmp`. */
  temporary: string
  /** retcon's own home: keys, configuration, conversations. */
  home: string
  /** Folders within the home that may be read. */
  readable: readonly string[]
  /** Folders of which commands see `shown`, read-only, and write to `from` instead. */
  mixed: readonly { path: string; from: string; shown: readonly string[] }[]
  /** Folders with the sockets and states of running programs: empty, except for `needed`. */
  running: readonly string[]
  needed: readonly string[]
  /** Folders whose sockets commands may use. */
  ownSockets: readonly string[]
  personHome?: string
}

export const TEMPORARY = "/tmp"

/** Contract: in the order in which they are mounted; later ones are on top. `sockets` are those to close. */
export function layout(options: SandboxFolders, sockets: readonly string[]): Mount[] {
  const { root, copy, write, temporary, home, readable, mixed, running, needed } = options
  const read = (path: string): Mount => ({ kind: "read", path })
  const mounts: Mount[] = [
    { kind: "read", path: "/" },
    { kind: "devices", path: "/dev" },
    { kind: "processes", path: "/proc" },
    { kind: "private", path: TEMPORARY, from: temporary },
    ...running.map((path): Mount => ({ kind: "empty-folder", path })),
    ...needed.map(read),
    ...mixed.flatMap(({ path, from, shown }): Mount[] => [{ kind: "private", path, from }, ...shown.map(read)]),
    ...write.map((path): Mount => ({ kind: "write", path })),
    copy === undefined ? { kind: "write", path: root } : { kind: "private", path: root, from: copy.folder },
    ...sockets.map((path): Mount => ({ kind: "empty-file", path })),
  ]
  // A home that contains the workspace or a cache is still hidden, except for these: then it is mounted first.
  const objects = (copy?.objects ?? []).map(({ at, from }): Mount => ({ kind: "read", path: at, from }))
  const own: Mount[] = [{ kind: "empty-folder", path: home }, ...readable.map(read), ...objects]
  return [...mounts, ...own].sort((a, b) => depth(a.path) - depth(b.path))
}

/** Where commands find the private folder: `/tmp`, unless the workspace itself covers that. */
export function temporaryInside({ root, temporary }: Pick<SandboxFolders, "root" | "temporary">): string {
  return isWithin(root, TEMPORARY) ? temporary : TEMPORARY
}

/** Sorting is stable: of two mounts at the same path the later one wins. */
function depth(path: string): number {
  return path === "/" ? 0 : path.split("/").length
}
