// In a session where another agent's program works: its own slash commands, and what it lets a person choose.
import { agentTitle } from "../../model/agent-title.ts"
import { type AgentChoice, type OfferedChoice, type Offers, offeredAs, offeredFor } from "../../model/offers.ts"
import { sanitiseLine } from "../../model/text/sanitise.ts"
import { pieces } from "../../model/text/visible.ts"
import type { HostSession } from "../../protocol/host.ts"
import { workIn } from "../../protocol/open-to-work.ts"
import type { ModelItem } from "../../protocol/shapes.ts"
import { type CommandTerminal, invalid } from "./command.ts"

/** Commands of ours that are about our own agent: where another works, its own of the same name are meant. */
export const OF_OUR_AGENT: ReadonlySet<string> = new Set(["compact", "context"])

export function isDriven({ agent, work }: Pick<HostSession, "agent" | "work">): boolean {
  return agent !== undefined && work !== undefined
}

/** Whether a name that was typed is a command of that program, which is asked only if it may be. `own`: there is one of ours, too. */
export function isTheirs(terminal: CommandTerminal, name: string, own: boolean): false | Promise<boolean> {
  if (!isDriven(terminal.session) || (own && !OF_OUR_AGENT.has(name))) return false
  return offersOf(terminal).then(({ commands }) => commands.some((each) => each.name === name))
}

/** Chooses what was typed, or shows what there is. */
export async function chooseOffered(terminal: CommandTerminal, what: AgentChoice, typed: string): Promise<void> {
  const offers = await offersOf(terminal)
  const all = offeredFor(offers, what)
  const title = agentTitle(terminal.session.agent ?? "")
  if (all.length === 0) throw invalid(`${title} offers no choice of ${what} here.`, `Choose it in ${title} itself.`)
  const value = typed === "" && what === "model" ? await pickedModel(terminal, offers) : typed
  if (value === undefined) return
  if (value === "") return list(terminal, offers, what)
  await choose(terminal, what, value)
}

async function pickedModel({ show, session, status }: CommandTerminal, offers: Offers): Promise<string | undefined> {
  const items = offers.models.map(({ id, name, about = "" }): ModelItem => ({ value: id, about: `${name} ${about}` }))
  const now = offeredAs(offers, "model", offers.model ?? "")?.id ?? status().model
  const picked = await show.models({ items, now, whose: agentTitle(session.agent ?? "") })
  return picked?.model
}

/** The mode after the one that is set. */
export async function nextOffered(terminal: CommandTerminal): Promise<void> {
  const offers = await offersOf(terminal)
  const at = offers.modes.findIndex(({ id }) => id === offers.mode)
  const next = offers.modes[(at + 1) % offers.modes.length]
  if (next === undefined || next.id === offers.mode) return chooseOffered(terminal, "mode", "")
  await choose(terminal, "mode", next.id)
}

async function choose(terminal: CommandTerminal, what: AgentChoice, value: string): Promise<void> {
  const { session } = terminal
  await terminal.during(`Choosing the ${what}`, workIn(session).choose(what, value))
  terminal.changed()
  const offers = await session.offers()
  const now = offers && offeredAs(offers, what, offers[what] ?? value)
  const title = agentTitle(session.agent ?? "")
  terminal.say("info", `${title}: the ${what} is now ${now === undefined ? sanitiseLine(value) : words(now)}.`)
}

async function offersOf(terminal: CommandTerminal): Promise<Offers> {
  const { session } = terminal
  const offers = await terminal.during(`Starting ${agentTitle(session.agent ?? "")}`, session.offers())
  if (offers === undefined) throw invalid("No program of another agent works here.", "See what is possible with: /help")
  return offers
}

function list(terminal: CommandTerminal, offers: Offers, what: AgentChoice): void {
  const lines = offeredFor(offers, what).map(
    (each) => `${each.id === offers[what] ? "●" : " "} ${each.id}: ${words(each)}`,
  )
  terminal.print((width) => lines.flatMap((line) => pieces(sanitiseLine(line), width - 4).map((piece) => `  ${piece}`)))
  const command = what === "effort" ? "think" : what
  terminal.say("info", `Choose one with: /${command} NAME`)
}

function words({ name, about = "" }: OfferedChoice): string {
  return sanitiseLine(about === "" ? name : `${name} (${about})`)
}

/** What can be typed after a slash beside our own: a program's commands, or those of the person's and the project's own files. */
export async function moreCommands(session: HostSession): Promise<{ name: string; about: string; hint: string }[]> {
  if (!isDriven(session))
    return (await session.reading()).flatMap(({ used, name, about = "", kind }) =>
      used && name !== undefined ? [{ name, about: `${kind}: ${about}`, hint: "[words]" }] : [],
    )
  const title = agentTitle(session.agent ?? "")
  const offers = await session.offers().catch(() => undefined)
  return (offers?.commands ?? []).map(({ name, about, hint = "" }) => ({ name, about: `${title}: ${about}`, hint }))
}
