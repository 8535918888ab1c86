// What a confined command sees of the file system, as a list of mounts. Pure; what exists was determined before.
import { isWithin } from "../port/work-root.ts"

export type Mount =
  /** The folder or file itself, read-only or not. */
  | { kind: "read" | "write"; path: string }
  /** Another folder in place of `path`, writable. */
  | { kind: "private"; path: string; from: string }
  /** An empty folder, or an empty file in place of a file or a socket. */
  | { kind: "empty-folder" | "empty-file"; path: string }
  | { kind: "devices" | "processes"; path: string }

export interface SandboxFolders {
  /** The workspace. All paths are real ones, without links. */
  root: string
  /** What else commands may write to: caches, and a repository outside the workspace. */
  write: readonly string[]
  /** Mounted as `/tmp`. */
  temporary: string
  /** retcon's own home: keys, configuration, conversations. */
  home: string
  /** Folders within the home that may be read. */
  readable: readonly string[]
  /** Doors out of the sandbox: sockets of daemons that would do anything they are asked. */
  doors: readonly { path: string; is: "folder" | "file" }[]
}

const TEMPORARY = "/tmp"

/** Contract: in the order in which they are mounted; later ones are on top. */
export function layout(options: SandboxFolders): Mount[] {
  const { root, write, temporary, home, readable, doors } = options
  const mounts: Mount[] = [
    { kind: "read", path: "/" },
    { kind: "devices", path: "/dev" },
    { kind: "processes", path: "/proc" },
    { kind: "private", path: TEMPORARY, from: temporary },
    ...doors.map(({ path, is }): Mount => ({ kind: is === "folder" ? "empty-folder" : "empty-file", path })),
    ...write.map((path): Mount => ({ kind: "write", path })),
    { kind: "write", path: root },
  ]
  // A home that contains the workspace or a cache is still hidden, except for these: then it is mounted first.
  const own: Mount[] = [
    { kind: "empty-folder", path: home },
    ...readable.map((path): Mount => ({ kind: "read", path })),
  ]
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
