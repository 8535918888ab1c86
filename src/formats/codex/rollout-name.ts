// Parses the name of a rollout file: when it was started, which thread it belongs to, and its own id.
import { basename } from "node:path"

export interface RolloutName {
  path: string
  /** As in the name, so that names sort by it. */
  time: string
  /** The session. */
  thread: string
  /** The file's own id, which `history_base` refers to: the thread's, or that of a later segment. */
  rollout: string
}

const NAME =
  /^rollout-(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d)-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}))?\.jsonl$/i

/** Undefined for any other name. */
export function rolloutName(path: string): RolloutName | undefined {
  const [, time, thread, segment] = NAME.exec(basename(path)) ?? []
  if (time === undefined || thread === undefined) return undefined
  return { path, time, thread: thread.toLowerCase(), rollout: (segment ?? thread).toLowerCase() }
}

/** Sorts the files of a thread by when they were started. The ids of segments begin with their time too. */
export function byBeginning(a: RolloutName, b: RolloutName): number {
  const [first, second] = [`${a.time} ${ownFirst(a)}`, `${b.time} ${ownFirst(b)}`]
  return first < second ? -1 : first > second ? 1 : 0
}

function ownFirst({ thread, rollout }: RolloutName): string {
  return thread === rollout ? "" : rollout
}
