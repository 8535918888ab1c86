// A repository for a copy of a working tree, written as data: git is not run in the original, and nothing there is written. It
// borrows the original's objects, through a link beside the copy: where the copy is mounted over the original, the path of these
// objects names the copy's own.
import fs from "node:fs"
import nodePath from "node:path"
import { type Project, readIfThere } from "../project/project.ts"
import { objectFolders } from "../project/project-objects.ts"

/** Sections with names and addresses, without anything that runs. */
const SECTIONS: Readonly<Record<string, readonly string[]>> = {
  remote: ["url", "fetch", "pushurl"],
  branch: ["remote", "merge", "rebase"],
  user: ["name", "email"],
  core: ["filemode", "ignorecase", "precomposeunicode", "autocrlf", "eol", "symlinks", "longpaths", "excludesfile"],
  extensions: ["objectformat"],
}

/** Contract: `number` is how many links the place has already. Without what it cannot borrow from, there is no repository. */
export function borrowRepository(
  project: Project,
  top: string,
  place: string,
  number: number,
): { at: string; from: string }[] {
  const { gitFolder, commonFolder } = project
  const config = readIfThere(nodePath.join(commonFolder, "config"))?.toString() ?? ""
  // References in another form cannot be copied as files.
  if (/^\s*refstorage\s*=\s*reftable/im.test(config)) return []
  const git = nodePath.join(top, ".git")
  for (const folder of ["objects/info", "objects/pack", "refs/heads", "info"])
    fs.mkdirSync(nodePath.join(git, folder), { recursive: true })
  const text = (name: string, data: string | Buffer) => fs.writeFileSync(nodePath.join(git, name), data)
  for (const name of ["HEAD", "index", ...sharedIndexes(gitFolder)])
    copyIfThere(nodePath.join(gitFolder, name), `${git}/${name}`)
  for (const name of ["packed-refs", "shallow", "info/exclude"])
    copyIfThere(nodePath.join(commonFolder, name), `${git}/${name}`)
  copyRefs(nodePath.join(commonFolder, "refs"), nodePath.join(git, "refs"))
  const objects = objectFolders(nodePath.join(commonFolder, "objects"))
    .filter((folder) => fs.existsSync(folder))
    .map((folder, i) => ({ at: nodePath.join(place, "objects", String(number + i)), from: fs.realpathSync(folder) }))
  fs.mkdirSync(nodePath.join(place, "objects"), { recursive: true, mode: 0o700 })
  for (const { at, from } of objects) fs.symlinkSync(from, at)
  text("objects/info/alternates", objects.map(({ at }) => `${at}\n`).join(""))
  text("config", harmless(config))
  return objects
}

function sharedIndexes(gitFolder: string): string[] {
  return fs.readdirSync(gitFolder).filter((name) => name.startsWith("sharedindex."))
}

function copyIfThere(from: string, to: string): void {
  if (fs.lstatSync(from, { throwIfNoEntry: false })?.isFile() === true) fs.copyFileSync(from, to)
}

/** Follows no link. */
function copyRefs(from: string, to: string): void {
  fs.mkdirSync(to, { recursive: true })
  for (const entry of fs.existsSync(from) ? fs.readdirSync(from, { withFileTypes: true }) : []) {
    const [source, target] = [nodePath.join(from, entry.name), nodePath.join(to, entry.name)]
    if (entry.isDirectory()) copyRefs(source, target)
    else copyIfThere(source, target)
  }
}

/** What says how names and references are stored, whose commits they are and where they come from; nothing that runs a program. */
function harmless(config: string): string {
  const sha256 = /^\s*objectformat\s*=\s*sha256/im.test(config)
  const lines = [
    "[core]",
    `\trepositoryformatversion = ${sha256 ? 1 : 0}`,
    "\tbare = false",
    "\tlogallrefupdates = true",
    "\thooksPath = /dev/null",
  ]
  let keys: readonly string[] = []
  for (const line of config.split("\n")) {
    const section = /^\s*\[\s*([a-z0-9-]+)/i.exec(line)?.[1]
    if (section !== undefined) {
      keys = SECTIONS[section.toLowerCase()] ?? []
      if (keys.length > 0) lines.push(line.replace(/\].*$/s, "]"))
      continue
    }
    const key = /^\s*([a-z][a-z0-9-]*)\s*=/i.exec(line)?.[1]?.toLowerCase()
    // A value that goes on in the next line could hide another one.
    if (key !== undefined && keys.includes(key) && !line.trimEnd().endsWith("\\")) lines.push(line)
  }
  return `${lines.join("\n")}\n`
}
