// Which commit of a person's repository brought a line, and what a commit changed. Read as data: no program runs.
import nodePath from "node:path"
import { isBinary } from "../../text/byte-lines.ts"
import { commitFiles, readTree, treeOf } from "./commit-files.ts"
import { committedBefore } from "./committed-before.ts"
import { parseCommit, reading } from "./new-commits.ts"
import { projectAround, readIfThere, repositoryState } from "./project.ts"
import type { ReadObject } from "./project-objects.ts"

export interface CommitFacts {
  commit: string
  subject: string
  /** ISO time. */
  at: string
  /** The folder of its repository. */
  top: string
}

export interface CommitChange {
  path: string
  /** Lines that the commit has and its first parent has not. */
  added: string[]
}

/** A repository may be larger than anybody waits for. */
const MOST_COMMITS = 5000
const MOST_FILES = 2000

/** The commit with this name: its id, the beginning of it, `HEAD` or a branch. Undefined if there is none among the last ones. */
export function commitNamed(folder: string, name: string): CommitFacts | undefined {
  const project = projectAround(folder)
  if (project === undefined) return undefined
  const head = repositoryState(project, "").commit
  return reading(project, (read) => {
    const facts = (oid: string): CommitFacts | undefined => factsOf(read, oid, project.top)
    if (name === "HEAD") return head === undefined ? undefined : facts(head)
    if (/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(name)) return facts(name)
    const branch =
      /^[\w][\w./-]*$/.test(name) && !name.includes("..") ? branchAt(project.commonFolder, name) : undefined
    if (branch !== undefined) return facts(branch)
    if (!/^[0-9a-f]{4,}$/i.test(name)) return undefined
    const begin = name.toLowerCase()
    const found = [...ancestors(read, head)].find(({ oid }) => oid.startsWith(begin))
    return found && facts(found.oid)
  })
}

function branchAt(common: string, name: string): string | undefined {
  const text = readIfThere(nodePath.join(common, "refs", "heads", name))
    ?.toString()
    .trim()
  return text !== undefined && /^[0-9a-f]{40,64}$/.test(text) ? text : undefined
}

function factsOf(read: ReadObject, oid: string, top: string): CommitFacts | undefined {
  const commit = parseCommit(oid, read("commit", oid))
  return commit && { commit: oid, subject: commit.subject, at: new Date(commit.seconds * 1000).toISOString(), top }
}

/** The commit itself, then those before it, nearest first. */
function* ancestors(read: ReadObject, from: string | undefined) {
  const queue = from === undefined ? [] : [from]
  const known = new Set(queue)
  for (let oid = queue.shift(); oid !== undefined && known.size < MOST_COMMITS; oid = queue.shift()) {
    const commit = parseCommit(oid, read("commit", oid))
    if (commit === undefined) continue
    yield commit
    for (const parent of commit.parents) {
      if (known.has(parent)) continue
      known.add(parent)
      queue.push(parent)
    }
  }
}

/** Whether a commit is `to`, or one that `to` has and `from` has not. */
export function isBetween(folder: string, commit: string, { from, to }: { from: string | null; to: string }): boolean {
  const project = projectAround(folder)
  if (project === undefined || commit === from) return false
  if (commit === to) return true
  return reading(project, (read) => {
    const old = new Set([...ancestors(read, from ?? undefined)].map(({ oid }) => oid))
    return !old.has(commit) && [...ancestors(read, to)].some(({ oid }) => oid === commit)
  })
}

/**
 * The commit in which a line came into the file, going back from the current one as long as a parent has it. Undefined if the current
 * commit has no such line.
 */
export function lineOrigin(file: string, line: string): CommitFacts | undefined {
  const project = projectAround(nodePath.dirname(file))
  const head = project && repositoryState(project, "").commit
  if (project === undefined || head === undefined) return undefined
  const path = nodePath.relative(project.top, file).split(nodePath.sep).join("/")
  return reading(project, (read) => {
    const at = commitFiles(read)
    const known = new Map<string, boolean>()
    const has = (commit: string): boolean => {
      const found = at(commit, path)
      if (found?.kind !== "file") return false
      const same = known.get(found.stored)
      if (same !== undefined) return same
      const bytes = read("blob", found.stored)
      const answer = bytes !== undefined && !isBinary(bytes) && linesIn(bytes).includes(line)
      known.set(found.stored, answer)
      return answer
    }
    let commit = head
    if (!has(commit)) return undefined
    for (let steps = 0; steps < MOST_COMMITS; steps++) {
      const older = parseCommit(commit, read("commit", commit))?.parents.find(has)
      if (older === undefined) break
      commit = older
    }
    return factsOf(read, commit, project.top)
  })
}

/** What a commit changed against its first parent. Contract: leaves out what is no text, or cannot be read. */
export function commitChanges({ top, commit }: Pick<CommitFacts, "top" | "commit">): CommitChange[] {
  const project = projectAround(top)
  if (project === undefined) return []
  const parent = reading(project, (read) => parseCommit(commit, read("commit", commit))?.parents[0])
  const after =
    parent === undefined
      ? reading(project, (read) => [...filesIn(read, treeOf(read, commit), "")])
      : committedBefore(top, { from: commit, to: parent })
  const before = parent === undefined ? [] : committedBefore(top, { from: parent, to: commit })
  const old = new Map(before.map(({ path, bytes }) => [path, bytes]))
  return after.slice(0, MOST_FILES).flatMap(({ path, bytes }) => {
    const content = Buffer.from(bytes ?? "")
    if (bytes === null || isBinary(content)) return []
    const had = new Set(linesIn(Buffer.from(old.get(path) ?? "")))
    return [{ path: nodePath.join(top, path), added: linesIn(content).filter((line) => !had.has(line)) }]
  })
}

function* filesIn(
  read: ReadObject,
  tree: string | undefined,
  path: string,
  budget = { left: MOST_FILES },
): Generator<{ path: string; bytes: Uint8Array | null }> {
  for (const { mode, name, oid } of (tree === undefined ? undefined : readTree(read, tree)) ?? []) {
    if (budget.left-- <= 0) return
    const own = path === "" ? name : `${path}/${name}`
    if (mode === "40000") yield* filesIn(read, oid, own, budget)
    else if (mode.startsWith("100")) yield { path: own, bytes: read("blob", oid) ?? null }
  }
}

function linesIn(bytes: Buffer): string[] {
  return bytes
    .toString("utf8")
    .split("\n")
    .map((line) => line.replace(/\r$/, ""))
}
