// Which commits a repository gained between two of its states. Read as data.
import type { NamedCommit } from "../../../model/move/moved.ts"
import type { CommitsRequest, NewCommits } from "../../port.ts"
import { type Project, projectAround, projectAt } from "./project.ts"
import { openProjectObjects, type ReadObject } from "./project-objects.ts"

const MOST_READ = 2000
const LONGEST_SUBJECT = 120

type Commit = { oid: string; parents: string[]; seconds: number; subject: string }

export function commitsSince(root: string, { path, from, to, since, most }: CommitsRequest): NewCommits {
  const project = path === "" ? projectAround(root) : projectAt(`${root}/${path}`)
  if (project === undefined) return { commits: [], more: 0 }
  const found = reading(project, (read) => newestFirst(read, from, to, Math.floor(since / 1000)))
  const commits = found.slice(0, most).map(({ oid, subject }): NamedCommit => ({ commit: oid, subject }))
  return { commits, more: found.length - commits.length }
}

export function reading<T>(project: Project, work: (read: ReadObject) => T): T {
  const objects = openProjectObjects(project)
  try {
    return work(objects.read)
  } finally {
    objects.close()
  }
}

/** Reachable from `to`, not from `from`, and made since: a switch to an old branch makes no commits. */
function newestFirst(read: ReadObject, from: string | undefined, to: string, since: number): Commit[] {
  const known = new Set<string>()
  const queued = new Set<string>()
  const queue: Commit[] = []
  const made: Commit[] = []
  const add = (oid: string) => {
    if (queued.has(oid) || queued.size >= MOST_READ) return
    queued.add(oid)
    const commit = parseCommit(oid, read("commit", oid))
    if (commit === undefined || commit.seconds < since) return
    const place = queue.findIndex((other) => other.seconds < commit.seconds)
    queue.splice(place < 0 ? queue.length : place, 0, commit)
  }
  if (from !== undefined) {
    known.add(from)
    add(from)
  }
  add(to)
  for (let commit = queue.shift(); commit !== undefined; commit = queue.shift()) {
    if (!known.has(commit.oid)) made.push(commit)
    for (const parent of commit.parents) {
      if (known.has(commit.oid)) known.add(parent)
      add(parent)
    }
  }
  return made.filter(({ oid }) => !known.has(oid))
}

export function parseCommit(oid: string, data: Buffer | undefined): Commit | undefined {
  if (data === undefined) return undefined
  const text = data.toString("utf8")
  const end = text.indexOf("\n\n")
  const head = text.slice(0, end < 0 ? text.length : end)
  const parents = [...head.matchAll(/^parent ([0-9a-f]{40,64})$/gm)].map((found) => found[1] as string)
  const seconds = Number(/^committer .* (\d+) [+-]\d+$/m.exec(head)?.[1] ?? 0)
  const first = end < 0 ? "" : (text.slice(end).trimStart().split("\n", 1)[0] ?? "")
  return { oid, parents, seconds, subject: plain(first) }
}

/** A subject may contain anything; it is shown on one line. */
function plain(text: string): string {
  const clean = text.replace(/\p{Cc}+/gu, " ").trim()
  return clean.length > LONGEST_SUBJECT ? `${clean.slice(0, LONGEST_SUBJECT - 1)}…` : clean
}
