// A copy of a path as another agent's session, with the command that resumes it there.
import { statSync } from "node:fs"
import { resolve, sep } from "node:path"
import type { NativeSession } from "../../foreign/native-session.ts"
import type { AgentHomes } from "../../formats/port.ts"
import { directoryOf } from "../../history/tree/directory.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import type { SessionId } from "../../model/id.ts"
import type { Beginning, Session } from "../../session/session.ts"
import type { SessionSummary } from "../../store/port.ts"
import type { AppDeps } from "../port/app-deps.ts"
import { noteCopy } from "./unused-copies.ts"

export interface NativeRequest {
  /** The agent whose session it becomes. */
  to: string
  /** Where the path ends; the head by default. */
  at?: string | undefined
  /** Replaces the person's home: the agent's folders are created in it. */
  folder?: string | undefined
  dryRun?: boolean | undefined
}

export interface NativeCopy {
  native: NativeSession
  beginning: Beginning
  /** Where to resume it. */
  folder: string
  /** As our lists know it. */
  id: SessionId | undefined
  /** What replaces the person's home. */
  home: string | undefined
}

export async function nativeCopy(deps: AppDeps, source: Session, request: NativeRequest): Promise<NativeCopy> {
  const { to, at, dryRun = false } = request
  const beginning = source.beginning(at)
  const folder = directoryOf(source.log) || deps.cwd
  const title = source.log.agent === to ? beginning.title : ownTitle(source)
  const homes = request.folder === undefined ? undefined : homesIn(deps, request.folder)
  const native = await deps.store.foreign.compose(to, {
    entries: beginning.entries,
    cwd: folder,
    title,
    now: deps.sessionOptions.now(),
    newId: () => deps.sessionOptions.ids.session(),
    ...(homes !== undefined && { homes }),
  })
  if (!dryRun) native.save()
  const listed = dryRun || homes !== undefined ? undefined : await listedAs(deps, to, native)
  if (listed?.file !== undefined) noteCopy(deps.home, { file: listed.file, bytes: listed.bytes })
  return { native, beginning, folder, id: listed?.id, home: homes?.home }
}

function ownTitle(source: Session): string | undefined {
  const title = source.config().get("title") ?? source.history.titleBeside
  return typeof title === "string" && title !== "" ? title : undefined
}

/** A folder in place of the home, without this machine's variables. */
function homesIn(deps: AppDeps, folder: string): AgentHomes {
  const home = resolve(deps.cwd, folder)
  if (statSync(home, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new RetconError({ code: "not-found", what: "folder", name: home })
  return { home, env: {} }
}

/** What our lists say of it. */
async function listedAs(deps: AppDeps, agent: string, { files }: NativeSession): Promise<SessionSummary | undefined> {
  const listed = await deps.store.foreign.list({ agents: [agent] })
  const isIts = (file: string) => files.some(({ path }) => path === file || path.startsWith(file + sep))
  return listed.find(({ file, from }) => file !== undefined && from?.as !== "task" && isIts(file))
}
