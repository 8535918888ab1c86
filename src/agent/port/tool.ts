// The Tool port: what the model may call. A tool knows no session: it gets what it needs, and reports what it changes.
import { readFileSync } from "node:fs"
import { readlink, realpath } from "node:fs/promises"
import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path"
import type { ApprovalAction } from "../../model/approval.ts"
import { errno } from "../../model/failure/retcon-error.ts"
import type { Grant } from "../../model/grant.ts"
import type { Json, JsonObject, Parsed } from "../../model/json.ts"
import type { Part } from "../../model/record/record.ts"
import { isWithin } from "../../model/within.ts"
import type { ModelMessage } from "../../provider/port/port.ts"

/**
 * `reads` changes no file: it needs no approval, and runs in parallel with others. `writes` changes the files it names.
 * `runs` may do anything. (Task and Todo read: a sub-agent's calls are judged one by one, there.)
 */
export type EffectKind = "reads" | "writes" | "runs"

/** What a call would touch, so that a runner can take snapshots around it. */
export interface Effects {
  effect: EffectKind
  /** Absolute, as named: links are not resolved. */
  paths: readonly string[]
  /** It may change anything: only a snapshot of all files covers it. */
  anywhere: boolean
}

export interface Preview {
  action: ApprovalAction
  /** One line. */
  title: string
  /** What the preview was based on, such as a hash of the file. It comes back in `ToolContext.basis`. */
  basis?: string
  /** The call cannot work: the model learns this at once, and nobody is asked. */
  problem?: string
}

export interface ToolContext {
  /** The id of the call. */
  call: string
  root: WorkRoot
  signal: AbortSignal
  /** The environment of commands. Contains no provider's key. */
  env: Readonly<Record<string, string>>
  /** What the model sees in this step: what it has already read is in here, and nowhere else. */
  messages: readonly ModelMessage[]
  /** The most characters of output that reach the model. The step cuts longer output. */
  limit: number
  /** Called with output while it runs, for people. */
  emit: (text: string) => void
  now: () => number
  /** Whether a deny rule forbids reading this path. */
  hidden(path: string): boolean
  /** From the preview that was approved. */
  basis?: string
}

export interface ToolResult {
  output: string
  error?: true
  media?: Part[]
  /** Values that follow the path (todos), for the runner to record. */
  state?: JsonObject
  /** A move the model asks for. The runner makes it when all calls of the step have ended. */
  backtrack?: BacktrackRequest
  /** It failed for lack of consent: the person is asked about the same call with this input, which then replaces it. */
  again?: JsonObject
}

export interface BacktrackRequest {
  checkpoint: number
  note: string
  restoreFiles: boolean
}

/**
 * Contract: `parse` and the describing functions are pure. `run` ends soon after `signal` aborts; what it returns then
 * is dropped. It may throw: the step turns that into an error result.
 */
export interface Tool<Input = unknown> {
  readonly name: string
  readonly description: string
  /** JSON schema of the input. */
  readonly input: JsonObject
  parse(input: Json): Parsed<Input>
  effects(input: Input, root: WorkRoot): Effects
  preview(input: Input, root: WorkRoot): Promise<Preview>
  /** What may be allowed beyond this call, narrowest first. `paths`: its paths, with links resolved. */
  grants(input: Input, paths: readonly string[], root: WorkRoot): Grant[]
  /** Milliseconds; undefined: it ends by itself. */
  readonly timeout: number | undefined
  /** The most characters of output that reach the model. */
  readonly limit: number
  run(input: Input, context: ToolContext): Promise<ToolResult>
}

export function failure(output: string): ToolResult {
  return { output, error: true }
}

/**
 * A tool's description is a .md file beside its code. The build copies these files beside the bundle, so the same line
 * finds them from source and from dist; no loader for .md works in node, tsx, vitest and a bundle alike. `from`:
 * import.meta.url of the caller.
 */
export function toolText(from: string, name: string): string {
  return readFileSync(new URL(`./${name}.md`, from), "utf8").trim()
}

export interface WorkRoot {
  /** The workspace, absolute. Relative paths start here, and commands run here. */
  folder: string
  /** The folder that it is a copy of: what the model says of paths there is meant here. */
  origin?: string
  /** Our own folder, outside the workspace, for output that was too long. Reading it needs no approval. */
  scratch: string
  /** Folders outside the workspace that the agent may read without asking. */
  readable?: readonly string[]
  /** For `~/`. Undefined: not expanded. */
  home?: string
  /** retcon's own home: only retcon writes there. */
  own?: string
}

/** Where the agent works, and whether a path is inside. Links are resolved before anything is judged. */
export function absolute(root: WorkRoot, path: string): string {
  if (root.home !== undefined && (path === "~" || path.startsWith("~/"))) return join(root.home, path.slice(1))
  const named = resolve(root.folder, path)
  if (root.origin === undefined || !isWithin(root.origin, named)) return named
  return join(root.folder, relative(root.origin, named))
}

/** As people read it: relative inside the workspace, absolute outside. */
export function shown(root: WorkRoot, path: string): string {
  const inside = relative(root.folder, path)
  return inside === "" ? "." : inside.startsWith("..") || isAbsolute(inside) ? path : inside
}

const MOST_LINKS = 40

/** Where a path really leads: links are resolved, even one whose target does not exist yet; the rest stays as it is. */
export async function realPath(path: string, links = 0): Promise<string> {
  try {
    return await realpath(path)
  } catch (error) {
    if (!isMissing(error) || links > MOST_LINKS) throw error
  }
  const target = await linkTarget(path)
  if (target !== undefined) return realPath(resolve(dirname(path), target), links + 1)
  const parent = dirname(path)
  return parent === path ? path : join(await realPath(parent, links), basename(path))
}

const resolved = new WeakMap<WorkRoot, Promise<RealWorkRoot>>()

export interface RealWorkRoot {
  folder: string
  scratch: string
  readable: readonly string[]
  home: string | undefined
  own: string | undefined
}

/**
 * Where the folders of a work root really are. Determined once: if one becomes a link later, its target is outside, and
 * the person is asked.
 */
export function realWorkRoot(root: WorkRoot): Promise<RealWorkRoot> {
  const known = resolved.get(root)
  if (known !== undefined) return known
  const { home, own } = root
  const found = Promise.all([
    realPath(root.folder),
    realPath(root.scratch),
    home === undefined ? undefined : realPath(home),
    own === undefined ? undefined : realPath(own),
    Promise.all((root.readable ?? []).map((each) => realPath(each))),
  ]).then(([folder, scratch, home, own, readable]) => ({ folder, scratch, readable, home, own }))
  resolved.set(root, found)
  found.catch(() => resolved.delete(root))
  return found
}

async function linkTarget(path: string): Promise<string | undefined> {
  try {
    return await readlink(path)
  } catch (error) {
    if (isMissing(error) || errno(error) === "EINVAL") return undefined
    throw error
  }
}

export function isMissing(error: unknown): boolean {
  return errno(error) === "ENOENT" || errno(error) === "ENOTDIR"
}
