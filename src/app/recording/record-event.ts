// What a hook does at each moment: takes a snapshot of the session's folder, and records it in our log of that session.
import { statSync } from "node:fs"
import { isAbsolute, resolve } from "node:path"
import { type HookedSnapshot, HookLog, type UnclosedCall } from "../../foreign/log/hook-log.ts"
import { sessionIdOf } from "../../formats/ids.ts"
import { readDigestName } from "../../formats/shared/digest-name.ts"
import { readHead } from "../../formats/shared/read-head.ts"
import type { AgentHooks, HookEvent } from "../../hooks/port.ts"
import type { Ids } from "../../model/id.ts"
import type { HookNames, SnapshotChange } from "../../model/record/record.ts"
import { FORMAT } from "../../model/record/version.ts"
import { changesBetween, stateIn } from "../../session/files/known/call-snapshots.ts"
import { pathsInside } from "../../session/files/known/paths-inside.ts"
import { type CommandRun, changedAt, SLACK_MS } from "../../session/files/known/perhaps-persons.ts"
import { parseSnapshotId, type Snapshot, type Workspace } from "../../workspace/port.ts"

export interface EventDeps {
  home: string
  now: () => number
  ids: Ids
  openWorkspace(place: { root: string; store: string | undefined; session: string }): Promise<Workspace>
}

interface Recording extends EventDeps {
  hooks: AgentHooks
  log: HookLog
  event: HookEvent
  files: Workspace
  /** When the hook began, in milliseconds. */
  began: number
}

/** Contract: the event's moment is not `keep`. */
export async function recordEvent(hooks: AgentHooks, told: HookEvent, deps: EventDeps): Promise<void> {
  const { home, now } = deps
  const { agent } = hooks
  const id = sessionIdOf(agent, told.session)
  const began = now()
  const at = new Date(began).toISOString()
  const made = { name: agent, version: "" }
  const header = () => ({ id, type: "session" as const, at, ...FORMAT, cwd: folderOf(hooks, told), made })
  await HookLog.use({ home, agent, id, header, now }, async (log) => {
    const event = withNames(log, told)
    // When a background command ends, Claude Code reports the same prompt again, with its effects already there.
    if (event.moment === "round-begins" && event.digestNames !== true && isSame(log.round, event.prompt)) return
    const ended = log.open().filter((call) => hasEnded(hooks, event, call))
    if (event.moment === "call-ends" && ended.length === 0) return
    const files = await deps.openWorkspace({ ...log.place, session: id })
    try {
      await record({ ...deps, hooks, log, event, files, began }, ended)
    } finally {
      await files.close()
    }
  })
}

function isSame(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && one === other
}

/**
 * For an agent without ids: the round is the latest one, and a call that ends is the oldest open one with its input.
 */
function withNames(log: HookLog, event: HookEvent): HookEvent {
  if (event.digestNames !== true || event.moment === "round-begins") return event
  const { prompt: _, call, ...about } = event
  const same = event.moment === "call-ends" ? log.open().filter((open) => isToldAs(open, call)) : []
  const begun = same.findLast(({ cutOff }) => !cutOff) ?? same.at(-1)
  const named = event.moment === "call-ends" ? begun?.hook.call : call
  const prompt = log.round
  return { ...about, ...(prompt !== undefined && { prompt }), ...(named !== undefined && { call: named }) }
}

function isToldAs({ hook }: HookedSnapshot, call: string | undefined): boolean {
  const [one, other] = [hook.call, call].map((name) => (name === undefined ? undefined : readDigestName(name)?.digest))
  return isSame(one, other)
}

async function record(recording: Recording, ended: readonly UnclosedCall[]): Promise<void> {
  const { event, log, files } = recording
  const { moment, prompt, agent } = event
  await closeCalls(recording, ended)
  if (moment === "call-begins") await beginCall(recording)
  else if (moment !== "call-ends" && prompt !== undefined && agent === undefined) {
    const when = moment === "round-begins" ? "before" : "after"
    await log.append(recordOf(recording, await files.snapshot(), { when, hook: { prompt } }))
  }
}

/**
 * Whether an open call has ended by now. The end of a failed call is not always reported: it has ended when its result
 * is in the file. All calls of a round have ended when the round has; those of a sub-agent when the sub-agent has.
 */
function hasEnded(hooks: AgentHooks, event: HookEvent, { hook, cutOff }: UnclosedCall): boolean {
  if (event.moment === "call-ends") return hook.call === event.call
  if (cutOff) return false
  if (hook.agent !== event.agent) return hook.agent !== undefined && endInFile(hooks, event, hook) !== undefined
  return event.moment !== "call-begins" || hasResult(hooks, event, hook.call ?? "")
}

/** When a call had ended of which nothing was reported, in milliseconds, as far as a file tells. */
function endInFile(hooks: AgentHooks, { transcript }: HookEvent, hook: HookNames): number | undefined {
  return transcript === undefined ? undefined : hooks.endedAt?.(transcript, hook)
}

async function beginCall(recording: Recording): Promise<void> {
  const { event, log, files } = recording
  if (event.call === undefined) return
  const paths = event.paths?.map((path) => resolve(event.cwd, path))
  const named = paths === undefined || !log.begun ? undefined : pathsInside(log.place.root, paths)
  if (named?.length === 0) return
  const within = named === undefined ? {} : { paths: named }
  const snapshot = await files.snapshot(within)
  await log.append(recordOf(recording, snapshot, { when: "before", hook: namesOf(event), ...within }))
}

/**
 * They changed what differs from the snapshot before each. One that was cut off changed only what had changed when it
 * ended, and nothing for certain if nobody knows when that was: its record names these paths (`unended.ts`).
 */
async function closeCalls(recording: Recording, begun: readonly UnclosedCall[]): Promise<void> {
  if (begun.length === 0) return
  const { files, log } = recording
  const all = begun.every(({ paths }) => paths !== undefined) ? begun.flatMap(({ paths = [] }) => paths) : undefined
  const snapshot = await files.snapshot(all === undefined ? {} : { paths: all })
  for (const { snapshot: before, at, hook, paths, cutOff } of begun) {
    const from = parseSnapshotId(before)
    if (from === undefined) continue
    const { root } = log.place
    const cut = isCutOff(recording.event, hook)
    const end = cut ? endInFile(recording.hooks, recording.event, hook) : undefined
    const run = { ...runOf(recording, { at, hook }), ...(end !== undefined && { until: end }) }
    const found = await changesBetween(files, from, snapshot.id, paths ?? { root, run })
    // It ended after all, but what was recorded of it holds.
    if (cutOff && found.length === 0) continue
    const changes = cut ? found.flatMap((change) => untilThen(root, change, end)) : found
    const named = cut ? changes.map(({ path }) => path) : paths
    const within = named === undefined ? {} : { paths: named }
    const facts = { when: "after" as const, since: { snapshot: before, at }, changes, ...within, hook }
    await log.append(recordOf(recording, snapshot, facts))
  }
}

/** Whether nothing was reported of a call since it began, until the person's next prompt or another agent's event. */
function isCutOff({ moment, agent }: HookEvent, hook: HookNames): boolean {
  return moment === "round-begins" || (moment !== "call-ends" && hook.agent !== agent)
}

/** What changed later was not its doing. When a file was deleted is not known. */
function untilThen(root: string, change: SnapshotChange, until: number | undefined): SnapshotChange[] {
  if (until === undefined) return []
  const { at } = changedAt(root, change.path)
  if (at === undefined) return [{ ...change, during: "command" }]
  return at > until + SLACK_MS ? [] : [change]
}

/** Until the event; and for as long as the agent says, because a person may have been asked before it ran. */
function runOf({ event, began }: Recording, { at, hook }: Pick<HookedSnapshot, "at" | "hook">): CommandRun {
  const own = event.moment === "call-ends" && event.call === hook.call
  const from = Math.max(Date.parse(at), own && event.ran !== undefined ? began - event.ran : 0)
  return { from, until: began, command: own ? event.command : undefined }
}

type Facts = Pick<HookedSnapshot, "when" | "hook" | "since" | "changes" | "paths">

function recordOf({ ids, now }: Recording, snapshot: Snapshot, facts: Facts): HookedSnapshot {
  const at = new Date(now()).toISOString()
  return { id: ids.record(), type: "snapshot", at, entry: null, ...stateIn(snapshot), ...facts }
}

function namesOf({ prompt, call, agent }: HookEvent): HookNames {
  return {
    ...(prompt !== undefined && { prompt }),
    ...(call !== undefined && { call }),
    ...(agent !== undefined && { agent }),
  }
}

/** Where the session was started: a command may have changed the folder since. */
function folderOf(hooks: AgentHooks, { transcript, cwd }: HookEvent): string {
  const started = transcript === undefined ? undefined : hooks.startedIn(readHead(transcript))
  return started !== undefined && isAbsolute(started) ? started : cwd
}

/** Results are at the end of the file: this many bytes are searched for them. */
const TAIL = 256 * 1024

function hasResult(hooks: AgentHooks, { transcript }: HookEvent, call: string): boolean {
  const size = transcript === undefined ? undefined : statSync(transcript, { throwIfNoEntry: false })?.size
  if (transcript === undefined || size === undefined) return false
  const mark = hooks.resultMark(call)
  return mark !== undefined && readHead(transcript, TAIL, Math.max(0, size - TAIL)).includes(mark)
}
