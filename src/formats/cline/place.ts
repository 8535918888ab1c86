// Where Cline and its descendants keep sessions: in a folder of the editor for each extension, and for Cline's own program in `~/.cline`.
import { basename, dirname, join } from "node:path"
import type { AgentHomes, SessionPlace } from "../port.ts"
import { contentsOf, foldersIn } from "../shared/folder-contents.ts"

/** One of the family. */
export interface FamilyMember {
  agent: string
  /** The folder of its extension in an editor. */
  extension: string
}

/** The conversation as the model gets it, in a folder named after the session. */
export const HISTORY = "api_conversation_history.json"

/** The same, as Cline's own program writes it. */
const MESSAGES = ".messages.json"

const EDITORS = ["Code", "Code - Insiders", "VSCodium", "Cursor", "Windsurf", "Antigravity"]
const REMOTE = [".vscode-server", ".vscode-server-insiders", ".cursor-server", ".windsurf-server"]

export function* placesIn({ extension, agent }: FamilyMember, { home, env }: AgentHomes): Generator<SessionPlace> {
  const settings = env.XDG_CONFIG_HOME ?? ""
  const roots = [settings === "" ? join(home, ".config") : settings, join(home, "Library", "Application Support")]
  const desktop = roots.flatMap((root) => EDITORS.map((editor) => join(root, editor)))
  const remote = REMOTE.map((folder) => join(home, folder, "data"))
  const storages = [...desktop, ...remote].map((folder) => join(folder, "User", "globalStorage", extension))
  const own = env.CLINE_DATA_DIR ?? ""
  const data = own === "" ? join(home, ".cline", "data") : own
  for (const storage of agent === "cline" ? [...storages, data] : storages) {
    for (const task of foldersIn(join(storage, "tasks"))) {
      for (const path of contentsOf(task, HISTORY).files) yield placeAt(path)
    }
  }
  if (agent !== "cline") return
  for (const session of foldersIn(join(data, "sessions"))) {
    for (const path of contentsOf(session, MESSAGES).files) yield placeAt(path)
  }
}

/** Of a file with a conversation. A folder usually has one, and is named after it. */
export function placeAt(file: string): SessionPlace {
  const folder = dirname(file)
  const own = basename(file) === HISTORY || basename(file) === `${basename(folder)}${MESSAGES}`
  return { path: own ? folder : file, main: file }
}

/** The conversation among the files of a folder. */
export function conversationIn(folder: string, names: readonly string[]): string | undefined {
  const name = [HISTORY, `${basename(folder)}${MESSAGES}`].find((each) => names.includes(each))
  return name === undefined ? undefined : join(folder, name)
}

/** Whether a file has a conversation, by its name. */
export function isConversation(file: string): boolean {
  return basename(file) === HISTORY || file.endsWith(MESSAGES)
}

/** Whether Cline's own program wrote it. */
export function isOwn(file: string): boolean {
  return file.endsWith(MESSAGES)
}

/** The session's own name. */
export function nameOf(file: string): string {
  return basename(file) === HISTORY ? basename(dirname(file)) : basename(file, MESSAGES)
}

/** What is beside a conversation: its title and folder, what the editor shows, and what was read and edited. */
export function besideOf(file: string): string[] {
  const folder = dirname(file)
  if (isOwn(file)) return [join(folder, `${nameOf(file)}.json`)]
  return ["history_item.json", "task_metadata.json", "ui_messages.json"].map((name) => join(folder, name))
}
