// The sandbox with bubblewrap (`bwrap`), which most desktops have and every distribution packages.
import type { Mount } from "./mounts.ts"

export interface BubblewrapOptions {
  program: string
  mounts: readonly Mount[]
  cwd: string
  network: boolean
  /** Root keeps only what it needs to work with other users' files, and nothing that leads outside. */
  root: boolean
  /** Root in a container may need a user namespace to be allowed the others. */
  userNamespace: boolean
}

const SETTINGS = ["sys", "sysrq-trigger"]
const ROOT_KEEPS = ["CAP_DAC_OVERRIDE", "CAP_FOWNER", "CAP_CHOWN"]

/** Contract: what is appended to this runs in the sandbox, and all of it ends with its first process, or with ours. */
export function bubblewrapWords(options: BubblewrapOptions): string[] {
  return [
    options.program,
    "--die-with-parent",
    "--unshare-pid",
    "--unshare-ipc",
    ...(options.network ? [] : ["--unshare-net"]),
    ...(options.userNamespace ? ["--unshare-user"] : []),
    ...(options.root ? ["--cap-drop", "ALL", ...ROOT_KEEPS.flatMap((name) => ["--cap-add", name])] : []),
    ...options.mounts.flatMap(words),
    // Only at the end: everything inside them is mounted by now.
    ...options.mounts.flatMap(({ kind, path }) => (kind === "empty-folder" ? ["--remount-ro", path] : [])),
    "--chdir",
    options.cwd,
    "--",
  ]
}

function words(mount: Mount): string[] {
  const { path } = mount
  switch (mount.kind) {
    // What has been removed since is left out, rather than that no command starts any more.
    case "read":
      return [path === "/" ? "--ro-bind" : "--ro-bind-try", path, path]
    case "write":
      return ["--bind-try", path, path]
    case "private":
      return ["--bind", mount.from, path]
    case "empty-folder":
      return ["--tmpfs", path]
    case "empty-file":
      return ["--ro-bind", "/dev/null", path]
    case "devices":
      return ["--dev", path]
    case "processes":
      // Only the sandbox's own processes. The machine's settings are read-only: root could change them.
      return ["--proc", path, ...SETTINGS.flatMap((name) => ["--ro-bind-try", `${path}/${name}`, `${path}/${name}`])]
  }
}
