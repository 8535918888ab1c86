// The sandbox with namespaces alone (`unshare` of util-linux), for machines without bubblewrap. As root of a user
// namespace a shell script builds another root from mounts and moves there; then it becomes the person again, in a
// second user namespace, which owns no mount and so can change none.
import type { Mount } from "./mounts.ts"

export interface NamespaceOptions {
  program: string
  mounts: readonly Mount[]
  cwd: string
  network: boolean
  uid: number
  gid: number
  /** An empty folder outside everything that is mounted, whose path contains no link. */
  staging: string
}

/** Contract: what is appended to this runs in the sandbox, and all of it ends with its first process, or with ours. */
export function namespaceWords(options: NamespaceOptions): string[] {
  return [
    options.program,
    "--user",
    "--map-root-user",
    "--mount",
    "--pid",
    "--fork",
    "--kill-child",
    "--ipc",
    ...(options.network ? [] : ["--net"]),
    "--",
    "/bin/sh",
    "-c",
    script(options),
    "sh",
  ]
}

/** Every step must succeed, or nothing runs. The shell stays: it is the first process of the namespace. */
function script({ mounts, program, network, uid, gid, cwd, staging }: NamespaceOptions): string {
  const empty = mounts.flatMap(({ kind, path }) => (kind === "empty-folder" ? [path] : []))
  return [
    "set -e",
    "path=$PATH",
    "PATH=/usr/sbin:/usr/bin:/sbin:/bin",
    `new=${quoted(staging)}`,
    READ_ONLY,
    THERE,
    // In a new network namespace even the loopback interface is down.
    ...(network ? [] : ["ip link set lo up 2>/dev/null || true"]),
    'mount --rbind / "$new"',
    'read_only "$new"',
    ...mounts.flatMap(lines),
    // Only at the end, and only these: everything inside them is mounted by now.
    ...empty.map((path) => `mount -o remount,bind,ro "$new"${quoted(path)}`),
    'mkdir "$new/dev/old"',
    'pivot_root "$new" "$new/dev/old"',
    "umount -l /dev/old",
    "rmdir /dev/old",
    ...(mounts.some(({ kind, path }) => kind === "write" && path === "/") ? [] : [STILL_WRITABLE]),
    `cd ${quoted(cwd)}`,
    "PATH=$path",
    "set +e",
    `${quoted(program)} --user --map-user=${uid} --map-group=${gid} -- "$@"`,
    "exit $?",
  ].join("\n")
}

/** Sources are paths of the old root, which has not changed; later mounts cover earlier ones. */
function lines(mount: Mount): string[] {
  const source = mount.kind === "read" ? (mount.from ?? mount.path) : mount.path
  const [from, at] = [quoted(source), `"$new"${quoted(mount.path)}`]
  const there = `[ -e ${at} ] || mkdir -p ${at}`
  const bound = [`if [ -e ${from} ]; then there ${from} ${at}; mount --rbind ${from} ${at}`]
  switch (mount.kind) {
    // What has been removed since is left out, rather than that no command starts any more.
    case "read":
      return mount.path === "/" ? [] : [...bound, `read_only ${at}`, "fi"]
    case "write":
      return [...bound, "fi"]
    case "private":
      return [`mount --rbind ${quoted(mount.from)} ${at}`]
    case "empty-folder":
      return [there, `mount -t tmpfs -o mode=755 tmpfs ${at}`]
    case "empty-file":
      return [`if [ -e ${at} ]; then mount --bind /dev/null ${at}; fi`]
    case "devices":
      return devices(at)
    case "processes":
      return [
        `mount -t proc proc ${at}`,
        // Not the machine's settings, which root may write to in any namespace: they are read-only.
        `for name in sys sysrq-trigger irq bus; do`,
        `  if [ -e ${at}/$name ]; then mount --bind ${at}/$name ${at}/$name; mount -o remount,bind,ro ${at}/$name; fi`,
        "done",
      ]
  }
}

/** Only harmless devices: none of the machine's disks. */
function devices(at: string): string[] {
  return [
    `mount -t tmpfs -o mode=755 tmpfs ${at}`,
    `for name in null zero full random urandom tty; do : > ${at}/$name; mount --bind /dev/$name ${at}/$name; done`,
    `mkdir -m 1777 ${at}/shm`,
    `mkdir ${at}/pts`,
    `ln -s /proc/self/fd ${at}/fd`,
    `ln -s fd/0 ${at}/stdin; ln -s fd/1 ${at}/stdout; ln -s fd/2 ${at}/stderr`,
    `mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts ${at}/pts && ln -s pts/ptmx ${at}/ptmx`,
  ]
}

/** All mounts at a path and below it. Flags that were set outside must be repeated, or the remount is refused. */
const READ_ONLY = `read_only() {
  while read -r _ _ _ _ point options _; do
    # Spaces and such are written as \\040.
    case $point in *\\\\*) point=$(printf %b "$(printf %s "$point" | sed 's/\\\\/\\\\0/g')") ;; esac
    case $point in "$1"|"$1"/*) ;; *) continue;; esac
    flags=
    for flag in nosuid nodev noexec noatime nodiratime relatime; do
      case ,$options, in *,$flag,*) flags=$flags,$flag;; esac
    done
    mount -o "remount,bind,ro$flags" "$point"
  done </proc/self/mountinfo
}`

/** Makes a file or folder to mount on, like the one that is mounted. */
const THERE = `there() {
  if [ -e "$2" ]; then return; fi
  if [ -d "$1" ]; then mkdir -p "$2"; else mkdir -p "\${2%/*}"; : > "$2"; fi
}`

const STILL_WRITABLE = "if [ -w / ]; then echo 'the file system could not be made read-only' >&2; exit 1; fi"

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
