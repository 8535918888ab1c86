// What a tool call may have done to files, told from its name and input, whichever agent made it.
import { isObject, type Json } from "../../model/json.ts"
import type { ToolCallPart } from "../../model/record/record.ts"
import { commandIn, patchedPaths } from "../../model/record/tool-words.ts"

/** `edit`: it names the files. `command`, `agent`, `other`: it may have changed any file. */
export type CallEffect = { kind: "none" | "command" | "agent" | "other" } | { kind: "edit"; paths: string[] }

/** Contract: `none` only for tools that are known to change no file themselves; a tool that nobody knows is `other`. */
export function callEffect({ name, input }: Pick<ToolCallPart, "name" | "input">): CallEffect {
  const tool = name.toLowerCase().replace(/[^a-z]/g, "")
  if (READS.has(tool) || OWN.test(tool)) return { kind: "none" }
  if (AGENTS.has(tool)) return { kind: "agent" }
  const patched = patchedPaths(textIn(input))
  if (patched.length > 0) return { kind: "edit", paths: patched }
  if (commandIn(input) !== undefined) return { kind: "command" }
  const path = EDITS.has(tool) ? pathIn(input) : undefined
  return path === undefined ? { kind: "other" } : { kind: "edit", paths: [path] }
}

/** The text in which a patch would be. */
function textIn(input: Json): string {
  if (typeof input === "string") return input
  if (!isObject(input)) return ""
  const text = input.input ?? input.patch ?? input.patchText
  return typeof text === "string" ? text : (commandIn(input) ?? "")
}

function pathIn(input: Json): string | undefined {
  if (!isObject(input)) return undefined
  const path = input.file_path ?? input.filePath ?? input.path ?? input.notebook_path ?? input.absolute_path
  return typeof path === "string" && path !== "" ? path : undefined
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "))

/** Our own tools, as agents name those of a server. What a restore changed is recorded as a move of files. */
const OWN = /retcon(?:checkpoint|changes|restore|search|read|note)$/

const EDITS = words("edit multiedit write notebookedit writefile replace strreplacefile strreplace editfile createfile")

const AGENTS = words("task agent spawnagent invokeagent subagent delegate resumeagent sendinput")

const READS = words(
  "read readfile readmanyfiles readmediafile viewimage view grep glob ls list listdir listdirectory find findfiles search " +
    "searchfilecontent grepsearch searchweb websearch webfetch fetch fetchurl googlewebsearch codesearch codebasesearch lsp " +
    "todo todowrite todoread todolist settodolist writetodos updateplan plan askuserquestion askuser question requestuserinput " +
    "enterplanmode exitplanmode bashoutput taskoutput tasklist taskget taskcreate taskupdate taskstop killshell killbash " +
    "toolsearch listmcpresources listmcpresourcetemplates readmcpresource wait waitagent waitfor closeagent listagents " +
    "completetask cronlist croncreate crondelete getgoal creategoal updategoal setgoalbudget think backtrack senddmail " +
    "structuredoutput reportfindings",
)
