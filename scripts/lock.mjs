// A lock between processes of one clone: a file with the owner's pid. A dead owner's lock is taken over.
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { setTimeout as wait } from "node:timers/promises"

/** Runs `work` while no other living process holds the lock `file`. */
export async function withLock(file, work) {
  mkdirSync(dirname(file), { recursive: true })
  for (let told = false; !take(file); told = true) {
    const owner = ownerOf(file)
    if (owner !== undefined && !isAlive(owner)) takeOver(file, owner)
    else {
      if (!told)
        process.stderr.write(`Waiting for process ${owner ?? "?"}, which is installing or building (${file})…\n`)
      await wait(100)
    }
  }
  try {
    return await work()
  } finally {
    rmSync(file, { force: true })
  }
}

/** A link appears with its content in one step, so nobody ever reads a lock without an owner. */
function take(file) {
  const mine = `${file}.${process.pid}`
  writeFileSync(mine, String(process.pid))
  try {
    linkSync(mine, file)
    return true
  } catch (error) {
    if (error.code !== "EEXIST") throw error
    return false
  } finally {
    rmSync(mine, { force: true })
  }
}

/** Moves the dead owner's lock away. If another process was faster, this moved a living lock, which is put back. */
function takeOver(file, deadOwner) {
  const moved = `${file}.dead.${process.pid}`
  try {
    renameSync(file, moved)
    if (ownerOf(moved) !== deadOwner) linkSync(moved, file)
  } catch (error) {
    if (error.code !== "ENOENT" && error.code !== "EEXIST") throw error
  } finally {
    rmSync(moved, { force: true })
  }
}

function ownerOf(file) {
  try {
    return Number(readFileSync(file, "utf8"))
  } catch (error) {
    if (error.code !== "ENOENT") throw error
    return undefined
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === "EPERM"
  }
}
