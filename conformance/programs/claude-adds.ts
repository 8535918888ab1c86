// What Claude Code adds to its requests by itself, and how it puts together what it sends.
import { type Added, addedText, type Said, SYSTEM_PROMPT } from "../said.ts"

/** The whole text is the program's own words to its model. It sends several as one, with an empty line in between. */
const REMINDER = /^\s*<system-reminder>\n?([\s\S]*?)\n?<\/system-reminder>\s*$/

/** What a background task reported is in the session; what is sent has the program's own words about that before it. */
const NOTIFICATION = /^\[SYSTEM NOTIFICATION[\s\S]*?\n(<task-notification>[\s\S]*)$/

/** A prompt typed while the agent worked is in the session; what is sent has the program's own words around it. */
const QUEUED =
  /The user sent a new message while you were working:\n([\s\S]*?)\n\s*\n(?:IMPORTANT: After completing your current task, |This is how Claude Code surfaces )[^\n]*/

/** Between two answers, the program's own words come first here, because versions differ in where they send them. */
export function unframed(said: readonly Said[]): Said[] {
  const all = said.flatMap(inParagraphs)
  const ordered: Said[] = []
  for (let at = 0; at < all.length; ) {
    let end = at
    while (end < all.length && (all[end]?.by === "user" || all[end]?.by === "system")) end++
    const stretch = all.slice(at, Math.max(end, at + 1))
    ordered.push(...stretch.filter(({ by }) => by === "system"), ...stretch.filter(({ by }) => by !== "system"))
    at += stretch.length
  }
  return ordered
}

/** Reminders and system messages as their paragraphs, each of which counts unless it is on the list. */
function inParagraphs(said: Said): Said[] {
  if (said.by !== "user" && said.by !== "system") return [said]
  const reminder = said.by === "system" ? said.text : REMINDER.exec(said.text)?.[1]
  const text = reminder ?? said.text
  const notified = reminder === undefined ? undefined : NOTIFICATION.exec(reminder)?.[1]
  if (notified !== undefined) return [{ by: "user", text: notified }]
  const queued = QUEUED.exec(text)
  if (queued === null) return reminder === undefined ? [said] : paragraphsOf(reminder)
  const [all, typed = ""] = queued
  const [before, after] = [text.slice(0, queued.index), text.slice(queued.index + all.length)]
  return [...paragraphsOf(before), { by: "user", text: typed }, ...paragraphsOf(after)]
}

function paragraphsOf(text: string): Said[] {
  return text.split(/\n\s*\n/).map((paragraph) => ({ by: "system", text: paragraph.trim() }))
}

/** A paragraph that begins with one of these words. */
function paragraphs(what: string, ...starts: string[]): Added {
  const escaped = starts.map((start) => start.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"))
  const pattern = new RegExp(`^(?:${escaped.join("|")})`)
  return { what, is: ({ by, text }) => by === "system" && pattern.test(text) }
}

export const ADDS: readonly Added[] = [
  SYSTEM_PROMPT,
  paragraphs(
    "what it puts before the first prompt: the date, the state of the repository, how to sign commits",
    "As you answer the user's questions, you can use the following context:",
    "IMPORTANT: this context may or may not be relevant to your tasks.",
    "Current branch: ",
    "Main branch (you will usually use this for PRs): ",
    "Git user: ",
    "Status:",
    "Recent commits:",
    "Claude Code attached this context automatically;",
    "Attribution for git commits and pull requests you create from here on",
  ),
  paragraphs(
    "its environment, model, permission mode, and the date, where they are new",
    "# Environment",
    "You are powered by the model named ",
    "While bypass permissions mode is active:",
    "You can do much of your work through the Bash tool when it is the simpler route:",
    "Today's date is ",
    "This is ambient context — do not narrate it to the user",
  ),
  paragraphs(
    "its lists of agents, skills and tools",
    "Available agent types for the Agent tool:",
    "When you launch multiple agents for independent work,",
    "The following skills are available for use with the Skill tool:",
    "The following deferred tools are now available via ToolSearch.",
    "The following deferred tools are no longer available in this session.",
    "The following agent types are no longer available:",
    "New agent types are now available for the Agent tool:",
  ),
  { what: "the skills themselves, one a line", is: ({ by, text }) => by === "system" && /^- [\w-]+: /.test(text) },
  paragraphs("its advice to use the task tools", "The task tools haven't been used recently."),
  addedText(
    "what it says of a command in the background whose end the session does not have",
    /^<task-notification>[\s\S]*<status>stopped<\/status>\n<summary>(?:Background shell command didn't |No completion record was found)/,
  ),
  addedText(
    "what it adds to an unfinished round, `Continue from where you left off.` and `No response requested.`",
    /^(?:Continue from where you left off|No response requested)\.$/,
  ),
]
