// Names of the temporary files that a restore creates beside the real ones. Never part of a snapshot.

const STAGED = /^\.retcon-restore-[0-9a-f]{16}-\d+-(new|old)$/

export function stagedName(restore: string, row: number, which: "new" | "old"): string {
  return `.retcon-restore-${restore}-${row}-${which}`
}

export function isStaged(name: string): boolean {
  return name.startsWith(".retcon-restore-") && STAGED.test(name)
}
