// Distinguishes git's changes to files from those of a step: by HEAD then and now, and by the content of commits.
import nodePath from "node:path"
import type { CheckoutChange, Checkouts, Committed } from "../../plan/checkout.ts"
import type { FileState, Heads, Repository, Step } from "../../port.ts"
import type { Objects } from "../objects/objects.ts"
import { type CommitFiles, commitFiles } from "./commit-files.ts"
import { parseCommit } from "./new-commits.ts"
import { type Project, projectAround, projectAt, readIfThere } from "./project.ts"
import { openProjectObjects, type ReadObject } from "./project-objects.ts"

/** The part of a workspace that is needed here. */
type NeededWorkspace = { root: string; objects: Pick<Objects, "write">; clock: () => number }

type Opened = { project: Project; below: string; read: ReadObject; files: CommitFiles; close(): void }

/** Contract: reads only repositories whose HEAD has moved. Close it once the plan is made. */
export function openCheckouts(workspace: NeededWorkspace, now: Repository[]) {
  const opened = new Map<string, Opened | undefined>()
  const repository = (path: string) => {
    if (!opened.has(path)) opened.set(path, openRepository(workspace, path))
    return opened.get(path)
  }
  const known = new Map<string, HeadLanding | undefined>()
  const landed: LandedOf = (path, from, to, time) => {
    if (from === undefined || to === undefined || from === to) return undefined
    const key = [path, from, to, ...time].join(" ")
    if (!known.has(key)) known.set(key, landing(repository(path), { from, to, since: time[0], until: time[1] }))
    return known.get(key)
  }
  return {
    of({ heads }: Step): Checkouts | undefined {
      return heads === undefined ? undefined : checkoutsOf(workspace, { heads, now, repository, landed })
    },
    close() {
      for (const each of opened.values()) each?.close()
    },
  }
}

type CheckoutDeps = {
  heads: Heads
  now: Repository[]
  repository: (path: string) => Opened | undefined
  landed: LandedOf
}

type LandedOf = (
  path: string,
  from: string | undefined,
  to: string | undefined,
  time: [number, number],
) => HeadLanding | undefined

function checkoutsOf(workspace: NeededWorkspace, { heads, now, repository, landed }: CheckoutDeps): Checkouts {
  const { began, ended } = heads
  const at = (moment: Repository[] | undefined, path: string) => moment?.find((each) => each.path === path)
  const holds = (path: string, file: string, commit: string) => {
    const own = repository(path)
    return own?.files(commit, own.below + file.slice(path === "" ? 0 : path.length + 1))
  }
  return {
    during(file) {
      const path = nearest(ended.repositories, file)
      if (began === undefined || path === undefined) return undefined
      const move = landed(path, at(began.repositories, path)?.commit, at(ended.repositories, path)?.commit, [
        began.at,
        ended.at,
      ])
      if (move === undefined) return undefined
      const to = holds(path, file, move.commit)
      const from = move.stood.flatMap((commit) => holds(path, file, commit) ?? [])
      if (to === undefined || from.every((each) => isEqual(each, to))) return undefined
      return { from, to, asState: (like) => storedHere(workspace, repository(path)?.read, to, like) }
    },
    since(file) {
      const path = nearest(now, file)
      if (path === undefined) return []
      const head = at(now, path)?.commit
      const move = landed(path, at(ended.repositories, path)?.commit, head, [ended.at, workspace.clock()])
      if (move === undefined || head === undefined) return []
      return [move.commit, head].flatMap((commit) => holds(path, file, commit) ?? [])
    },
    stands(file) {
      const path = nearest(now, file)
      const [then, here] = path === undefined ? [] : [at(ended.repositories, path), at(now, path)]
      return then === undefined || here === undefined ? undefined : { from: nameOf(then), to: nameOf(here) }
    },
  }
}

/** The repository that a file is in: the one with the nearest folder above it. */
function nearest(repositories: Repository[], file: string): string | undefined {
  return repositories
    .map(({ path }) => path)
    .filter((path) => path === "" || file.startsWith(`${path}/`))
    .sort((a, b) => b.length - a.length)[0]
}

function nameOf({ branch, commit }: Repository): string {
  return branch ?? commit?.slice(0, 7) ?? "no commit"
}

function openRepository({ root }: NeededWorkspace, path: string): Opened | undefined {
  const project = path === "" ? projectAround(root) : projectAt(`${root}/${path}`)
  if (project === undefined) return undefined
  const objects = openProjectObjects(project)
  const below = path === "" ? nodePath.relative(project.top, root) : ""
  const read: Opened["read"] = (...asked) => objects.read(...asked)
  return {
    project,
    below: below === "" ? "" : `${below}/`,
    read,
    files: commitFiles(read),
    close: () => objects.close(),
  }
}

function landing(opened: Opened | undefined, move: HeadMove): HeadLanding | undefined {
  if (opened === undefined) return undefined
  return landedOn(opened.project, move, (commit) => parseCommit(commit, opened.read("commit", commit))?.seconds)
}

function isEqual(a: Committed, b: Committed): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

function storedHere(
  workspace: NeededWorkspace,
  read: ReadObject | undefined,
  committed: Committed,
  like: FileState | undefined,
): ReturnType<CheckoutChange["asState"]> {
  if (committed.kind === "absent") return { state: undefined }
  if (committed.kind === "folder")
    return { state: { kind: "folder", perm: like?.kind === "folder" ? like.perm : 0o755 } }
  const data = read?.("blob", committed.stored)
  if (data === undefined) return undefined
  const oid = workspace.objects.write("blob", data)
  if (committed.kind === "link") return { state: { kind: "link", oid } }
  const usual = committed.executable ? 0o755 : 0o644
  return { state: { kind: "file", oid, perm: like?.kind === "file" ? like.perm : usual } }
}

/** `from` and `to` are commits; `since` and `until` are in milliseconds. */
type HeadMove = { from: string; to: string; since: number; until: number }

/** `stood`: the commits where HEAD was before. */
type HeadLanding = { commit: string; stood: string[] }

type Line = { old: string; now: string; message: string }

const LINE = /^([0-9a-f]{40,64}) ([0-9a-f]{40,64}) .*> (\d+) [+-]\d{4}(?:\t(.*))?$/
/** These commit what is in the files; all others bring something into the files. */
const FROM_FILES = /^(commit(?! \(merge\))|cherry-pick|revert|am)\b/

/**
 * How a repository's HEAD moved, from git's own log of it. Read as data. The last commit on HEAD's way that git itself
 * brought the files to: by a switch, pull, merge, rebase or reset. Undefined if it only committed what was in the
 * files. If git keeps no log, only a commit older than the move shows this; `madeAt` returns seconds.
 */
function landedOn(
  project: Project,
  { from, to, since, until }: HeadMove,
  madeAt: (commit: string) => number | undefined,
): HeadLanding | undefined {
  const lines = linesBetween(project, Math.floor(since / 1000), Math.ceil(until / 1000))
  const first = lines.findIndex(({ old }) => old === from)
  const last = lines.findLastIndex(({ now }) => now === to)
  if (first < 0 || last < first) {
    const seconds = madeAt(to)
    return seconds !== undefined && seconds < Math.floor(since / 1000) ? { commit: to, stood: [from] } : undefined
  }
  const moves = lines.slice(first, last + 1).filter(({ old, now }) => old !== now)
  const at = moves.findLastIndex(({ message }) => !FROM_FILES.test(message))
  const landed = moves[at]
  if (landed === undefined) return undefined
  return { commit: landed.now, stood: [...new Set(moves.slice(0, at + 1).map(({ old }) => old))] }
}

function linesBetween(project: Project, since: number, until: number): Line[] {
  const text = readIfThere(nodePath.join(project.gitFolder, "logs", "HEAD"))?.toString() ?? ""
  return text.split("\n").flatMap((line): Line[] => {
    const [, old = "", now = "", seconds = "0", message = ""] = LINE.exec(line) ?? []
    return Number(seconds) < since || Number(seconds) > until ? [] : [{ old, now, message }]
  })
}
