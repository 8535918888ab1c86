// The command to put into a settings file. It is silent and exits with 0 whatever happens, even if retcon was uninstalled.

/** Where the hook's program is, and what it needs to know. */
export interface HookProgram {
  node: string
  file: string
  version: string
  /** retcon's home, if it is not the default one. */
  home?: string
}

export function hookCommand({ node, file, version, home }: HookProgram, agent: string): string {
  const where = home === undefined ? "" : `RETCON_HOME=${quoted(home)} `
  return `RETCON_HOOK=${version} ${where}${quoted(node)} ${quoted(file)} ${agent} 2>/dev/null || true`
}

/** Undefined: it is not ours. */
export function readCommand(command: unknown): HookProgram | undefined {
  if (typeof command !== "string") return undefined
  const version = /^RETCON_HOOK=(\S+) /.exec(command)?.[1]
  const words = [...command.matchAll(/'((?:[^']|'\\'')*)'/g)].map((found) => (found[1] ?? "").replaceAll("'\\''", "'"))
  const home = /^RETCON_HOOK=\S+ RETCON_HOME=/.test(command) ? words.shift() : undefined
  const [node, file] = words
  if (version === undefined || node === undefined || file === undefined) return undefined
  return { version, node, file, ...(home !== undefined && { home }) }
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
