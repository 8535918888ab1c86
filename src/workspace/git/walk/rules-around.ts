// What applies to a folder: the ignore rules from above, and its repository.
import nodePath from "node:path"
import { addRules, isIgnored, type Rules } from "../../../ignore/rules.ts"
import { excludeText, type Project, projectAround, readIfThere, readIgnoreFile } from "../project/project.ts"

export type FolderRules = { above: Rules | undefined; project: Project | undefined; ignored: boolean }

export type Outer = { around: FolderRules; project: Project | undefined }

/** What applies at the workspace's root: the rules of its repository, even if that begins further up. */
export function outerRules(workspace: { root: string; personIgnore: string | undefined }): Outer {
  const project = projectAround(workspace.root)
  const everywhere = personRules(workspace, project?.top ?? workspace.root, project)
  const alone: Outer = { around: { above: everywhere, project: undefined, ignored: false }, project: undefined }
  if (project === undefined) return alone
  let above = everywhere
  const add = (folder: string, text: Buffer | undefined) => {
    if (text === undefined || text.length === 0) return
    above = addRules(above, folder, text)
  }
  add(project.top, excludeText(project))
  const below = nodePath.relative(project.top, workspace.root)
  let folder = project.top
  for (const name of below === "" ? [] : below.split("/")) {
    add(folder, readIgnoreFile(`${folder}/.gitignore`))
    // The repository above ignores this folder, so its rules do not apply here: they would leave everything out.
    if (isIgnored(above, folder, name, true) && !project.tracked().folders.has(pathIn(project, `${folder}/${name}`)))
      return { ...alone, around: { ...alone.around, above: personRules(workspace, workspace.root) } }
    folder = `${folder}/${name}`
  }
  const ignored = false
  return { around: { above, project, ignored }, project }
}

function pathIn(project: Project, absolute: string): string {
  return absolute.slice(project.top.length + 1)
}

/** What the person ignores everywhere, or else in this repository: the weakest rules, as in git. */
export function personRules(
  { personIgnore }: { personIgnore: string | undefined },
  top: string,
  project?: Project,
): Rules | undefined {
  const own = project?.excludesFile()
  const everywhere = personIgnore === undefined ? undefined : readIfThere(personIgnore)
  const text = own === undefined ? everywhere : readIgnoreFile(own)
  return text === undefined ? undefined : addRules(undefined, top, text)
}
