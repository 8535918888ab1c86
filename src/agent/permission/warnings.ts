// What a person should know about a call's paths before they answer: where a link leads, what is outside, what runs.
import { relative } from "node:path"
import { codePoint, lookAlikes } from "../../model/text/look-alikes.ts"
import { isWithin, shown, type WorkRoot } from "../port/work-root.ts"
import { guardOf } from "./guarded.ts"
import { isSecretOwn, touchesOwn } from "./own-home.ts"
import { type JudgedCall, type Policy, perhapsDenied } from "./policy.ts"
import { roughCommands } from "./rough-commands.ts"
import { simpleCommands } from "./shell-words.ts"
import { runsOthersToo } from "./wider-command.ts"

/** The title, with its path's real target. */
export function titleOf(title: string, asked: JudgedCall, root: WorkRoot): string {
  const links = asked.named.flatMap((path, i) =>
    isLink(asked, root, i) ? [{ name: shown(root, path), real: asked.real[i] }] : [],
  )
  return links.reduce(
    (text, { name, real }) => (text.endsWith(name) ? `${text} → ${real}` : `${text} (${name} → ${real})`),
    title,
  )
}

export function warningsOf(asked: JudgedCall, root: WorkRoot, policy: Policy): string[] {
  const warnings = asked.real.flatMap((real, i) => pathWarnings(asked, root, i, real))
  warnings.push(...lookAlikeWarnings(asked))
  if (asked.action.kind === "command" && touchesOwn(asked.action.command, asked.own)) {
    warnings.push("It names retcon's own folder, or runs retcon: that could change what is allowed.")
  }
  if (asked.action.kind === "command") {
    const { command } = asked.action
    const commands = simpleCommands(command)?.map(({ words }) => words) ?? roughCommands(command)
    warnings.push(...runsOthersToo(commands))
  }
  const rules = perhapsDenied(asked, policy).map(({ text }) => text)
  if (rules.length > 0) {
    warnings.push(`It may do what ${rules.join(" and ")} forbids: that depends on what the shell makes of its words.`)
  }
  return warnings
}

function pathWarnings(asked: JudgedCall, root: WorkRoot, i: number, real: string): string[] {
  const name = shown(root, asked.named[i] ?? real)
  const link = isLink(asked, root, i)
  const outside = !isWithin(asked.root, real)
  const found: string[] = []
  if (link) found.push(`${name} leads to ${real}${outside ? ", outside this folder" : ""}.`)
  else if (outside) found.push(`${real} is outside this folder.`)
  if (isSecretOwn(real, asked.own)) found.push(`${real} is retcon's own: settings, keys and sessions are there.`)
  const because = asked.effect === "reads" ? undefined : guardOf(real, asked.root)
  if (because !== undefined) found.push(`${name} is more than text: ${because}.`)
  return found
}

/** Whether the path is not what it seems: it, or one of its folders below the workspace, is a link. */
function isLink(asked: JudgedCall, root: WorkRoot, i: number): boolean {
  const [named, real] = [asked.named[i], asked.real[i]]
  if (named === undefined || real === undefined) return false
  if (isWithin(root.folder, named)) return relative(root.folder, named) !== relative(asked.root, real)
  return named !== real
}

/** A command or a path that is not the one it seems to be. */
function lookAlikeWarnings({ action, named }: JudgedCall): string[] {
  const found = lookAlikes([...(action.kind === "command" ? [action.command] : []), ...named].join(" "))
  if (found.length === 0) return []
  const each = found.map(({ char, as }) => `${char} (${codePoint(char)}) is not ${as}`)
  return [`It contains characters that look like others: ${each.join(", ")}.`]
}
