// Groups sessions by folder, the folder with the newest session first.
import { agentTitle } from "../../src/model/agent-title.ts"
import { isOffered } from "../../src/protocol/can-continue.ts"
import type { SessionListing } from "../../src/protocol/shapes.ts"

export interface ProjectGroup {
  cwd: string
  /** The last part of the path, or more of it if two would look the same. */
  name: string
  sessions: SessionListing[]
}

/** The sessions to show, newest first: those that match the words, without sub-agents' and archived ones. */
export function projectsOf(sessions: readonly SessionListing[], words: string): ProjectGroup[] {
  const wanted = words
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "")
  const projects = new Map<string, ProjectGroup>()
  for (const session of sessions) {
    if (!isOffered(session) || !holds(session, wanted)) continue
    const project = projects.get(session.cwd) ?? { cwd: session.cwd, name: "", sessions: [] }
    project.sessions.push(session)
    projects.set(session.cwd, project)
  }
  return named([...projects.values()])
}

function holds(session: SessionListing, words: readonly string[]): boolean {
  const text = `${session.title}\n${session.cwd}\n${agentTitle(session.agent)}\n${session.name ?? ""}\n${session.id}`
  const low = text.toLowerCase()
  return words.every((word) => low.includes(word))
}

function named(projects: ProjectGroup[]): ProjectGroup[] {
  const last = (cwd: string, parts: number) =>
    cwd
      .split("/")
      .filter((part) => part !== "")
      .slice(-parts)
      .join("/")
  const counts = new Map<string, number>()
  for (const { cwd } of projects) counts.set(last(cwd, 1), (counts.get(last(cwd, 1)) ?? 0) + 1)
  for (const project of projects) {
    const name = last(project.cwd, (counts.get(last(project.cwd, 1)) ?? 0) > 1 ? 2 : 1)
    project.name = name === "" ? "No folder" : name
  }
  return projects
}
