// A network namespace with nothing but loopback: what runs in it can reach only the fake model.
import { spawnSync } from "node:child_process"

/** Words to put before a command; or a message about what is missing. */
export function namespace(): { ok: true; argv: [string, ...string[]] } | { ok: false; missing: string } {
  if (process.platform !== "linux")
    return { ok: false, missing: "This needs Linux: network namespaces keep the programs offline." }
  const tries = [["--net"], ["--map-root-user", "--net"]].map((flags) => withLoopback(flags))
  const works = tries.find((argv) => spawnSync(argv[0], [...argv.slice(1), "true"], { stdio: "ignore" }).status === 0)
  if (works !== undefined) return { ok: true, argv: works }
  return {
    ok: false,
    missing:
      "Could not create a network namespace. Run this as root, or allow user namespaces (sysctl kernel.unprivileged_userns_clone=1), " +
      "and install unshare (util-linux) and ip (iproute2).",
  }
}

function withLoopback(flags: string[]): [string, ...string[]] {
  return ["unshare", ...flags, "--", "sh", "-c", 'ip link set lo up && exec "$@"', "sh"]
}
