// Where copies of workspaces are, and what each is a copy of: <home>/attempts/<name>, with `copy.json` and the copy in `files`.
// What has no `copy.json` is not ours to remove.
import fs from "node:fs"
import nodePath from "node:path"
import { type Holder, isAlive, myself } from "../../../holder/holder.ts"
import { isObject, type Json, parseJson } from "../../../model/json.ts"
import { temporaryIn } from "../disk/temporary.ts"
import { readIfThere } from "../project/project.ts"

export type CopiedFolder = {
  /** The folder of ours with the copy and what belongs to it, absolute. */
  place: string
  /** The folder that was copied, as it was named then. */
  of: string
  /** The copy. */
  folder: string
  /** The store of the copy, which shares objects with that of the folder. */
  store: string
  /** Where the repositories of the copy find the objects of those that they were copied from. */
  objects: { at: string; from: string }[]
  /** References of the copied repositories, to tell which commits were made in the copy. */
  repositories: { path: string; from: string }[]
  complete: boolean
  /** Who makes it, or made it. */
  by: Holder
}

const KIND = "retcon copy 1"

export function copiesFolder(home: string): string {
  return nodePath.join(home, "attempts")
}

/** The copy that a folder is, or is in; undefined if it is in none. Contract: reads nothing unless it is below our home. */
export function copyAt(home: string, folder: string): CopiedFolder | undefined {
  const all = copiesFolder(fs.existsSync(home) ? fs.realpathSync(home) : home)
  if (!folder.startsWith(all + nodePath.sep)) return undefined
  const [name = ""] = folder.slice(all.length + 1).split(nodePath.sep)
  return readCopy(nodePath.join(all, name))
}

/** Contract: undefined for anything that is not a folder of ours with its mark; follows no link. */
export function readCopy(place: string): CopiedFolder | undefined {
  if (fs.lstatSync(place, { throwIfNoEntry: false })?.isDirectory() !== true) return undefined
  const file = markIn(place)
  if (fs.lstatSync(file, { throwIfNoEntry: false })?.isFile() !== true) return undefined
  const parsed = parseJson(readIfThere(file)?.toString() ?? "")
  if (!parsed.ok || !isObject(parsed.value) || parsed.value.kind !== KIND) return undefined
  const { of, folder, store, objects, repositories, complete, by } = parsed.value
  if (typeof of !== "string" || typeof folder !== "string" || typeof store !== "string" || !isObject(by))
    return undefined
  return {
    place,
    of,
    folder: nodePath.join(place, folder),
    store,
    objects: pairsIn(objects, "at").map(({ name, from }) => ({ at: nodePath.join(place, name), from })),
    repositories: pairsIn(repositories, "path").map(({ name, from }) => ({ path: name, from })),
    complete: complete === true,
    by: by as unknown as Holder,
  }
}

function pairsIn(value: Json | undefined, key: string): { name: string; from: string }[] {
  if (!Array.isArray(value)) return []
  return value.filter(isObject).flatMap(({ [key]: name, from }) => {
    return typeof name === "string" && typeof from === "string" ? [{ name, from }] : []
  })
}

/** Contract: the mark has its old content or the new one. */
export function writeCopy(copy: Omit<CopiedFolder, "by">): void {
  const below = (path: string) => nodePath.relative(copy.place, path)
  const objects = copy.objects.map(({ at, from }) => ({ at: below(at), from }))
  const text = JSON.stringify({
    kind: KIND,
    ...copy,
    place: undefined,
    folder: below(copy.folder),
    objects,
    by: myself(),
  })
  const temporary = temporaryIn(copy.place)
  fs.writeFileSync(temporary, text, { mode: 0o600, flush: true })
  fs.renameSync(temporary, markIn(copy.place))
}

/** All that are there, complete or not. */
export function copiesIn(home: string): CopiedFolder[] {
  const all = copiesFolder(home)
  if (fs.lstatSync(all, { throwIfNoEntry: false })?.isDirectory() !== true) return []
  return fs.readdirSync(all).flatMap((name) => readCopy(nodePath.join(all, name)) ?? [])
}

/** A living process is still making it. */
export function isBeingMade(copy: CopiedFolder, now: number): boolean {
  return !copy.complete && isAlive(copy.by, markIn(copy.place), now)
}

function markIn(place: string): string {
  return nodePath.join(place, "copy.json")
}
