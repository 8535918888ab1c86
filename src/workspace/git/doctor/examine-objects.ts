// Checks the object stores of workspaces for objects that exist but cannot be used. Changes nothing.
import { RetconError } from "../../../model/failure/retcon-error.ts"
import { openDisk } from "../disk/disk.ts"
import { openObjects } from "../objects/objects.ts"
import { rootOf, stores, storesFolder } from "../project/store-folder.ts"
import { listLoose } from "./gc.ts"

export type BadObject = { path: string; problem: string }

/** The stores in retcon's home, each with the folder whose files it contains. */
export function snapshotStores(home: string): { folder: string; root: string | undefined }[] {
  return stores(home).map((id) => ({ folder: `${storesFolder(home)}/${id}`, root: rootOf(home, id) }))
}

/** `folder`: a store. Contract: reads everything in it. */
export function examineObjects(folder: string): BadObject[] {
  const objects = openObjects(openDisk(), `${folder}/objects`, () => 0)
  const found: BadObject[] = []
  const oids = [...listLoose(objects), ...objects.packs().flatMap((pack) => pack.sizes())].map(({ oid }) => oid)
  for (const oid of new Set(oids)) {
    try {
      objects.read(oid)
    } catch (error) {
      if (!(error instanceof RetconError) || error.failure.code !== "damaged") throw error
      found.push({ path: error.failure.path, problem: error.failure.problem })
    }
  }
  objects.close()
  return found
}
