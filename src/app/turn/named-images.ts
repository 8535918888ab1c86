// `@shot.png` in a prompt: the model gets the image, not only its name. For every front end.
import { readFileSync, realpathSync, statSync } from "node:fs"
import { absolute, isMissing, type WorkRoot } from "../../agent/port/tool.ts"
import { errno } from "../../model/failure/retcon-error.ts"
import { sanitiseLine } from "../../model/text/sanitise.ts"
import { isWithin } from "../../model/within.ts"
import type { PromptInput } from "../../protocol/host.ts"
import { checkImage } from "../../provider/catalogue/media.ts"

/** As the completion writes it: quoted if it has spaces. */
const NAMED = /(?<=^|\s)@(?:"([^"\n]+)"|(\S+))/g
const IMAGE_PATH = /\.(?:png|jpe?g|gif|webp)$/i
/** What is larger is refused unread: every vendor refuses it too. */
const LARGEST = 5 * 1024 * 1024

/**
 * The input with the images it names, and a sentence for each that could not be added. Only images of the workspace: text that was piped
 * in may name others, and those are the person's to show (the agent's Read asks). A name that no file has is just text.
 * Contract: reads at once, so that messages stay in the order in which they were sent.
 */
export function withNamedImages(input: PromptInput, root: WorkRoot): { input: PromptInput; problems: string[] } {
  const media = [...(input.media ?? [])]
  const problems: string[] = []
  // What is in a folded paste was not typed as a name.
  for (const path of imageNames(input.display ?? input.text)) {
    const found = readNamed(root, path)
    if (found === undefined) continue
    if ("problem" in found) {
      problems.push(`The model does not see the image ${sanitiseLine(path)}, because ${found.problem}.`)
    } else if (!media.some((part) => part.type === "image" && part.data === found.data)) {
      media.push({ type: "image", ...found })
    }
  }
  return { input: media.length === 0 ? input : { ...input, media }, problems }
}

function imageNames(text: string): string[] {
  const paths = [...text.matchAll(NAMED)].map(([, quoted, bare = ""]) => quoted ?? bare.replace(/[),.;:!?]+$/, ""))
  return [...new Set(paths.filter((path) => IMAGE_PATH.test(path)))]
}

function readNamed(
  root: WorkRoot,
  path: string,
): { mediaType: string; data: string } | { problem: string } | undefined {
  try {
    const file = realpathSync(absolute(root, path))
    if (!isWithin(realpathSync(root.folder), file)) {
      return { problem: "it is outside the folder of this session: copy it there, or ask the agent to read it" }
    }
    const found = statSync(file)
    if (!found.isFile()) return undefined
    if (found.size > LARGEST) return { problem: "it is larger than 5 MB" }
    const data = readFileSync(file).toString("base64")
    const checked = checkImage(data)
    return checked.ok ? { mediaType: checked.mediaType, data } : checked
  } catch (error) {
    if (errno(error) === undefined) throw error
    return isMissing(error) ? undefined : { problem: `it cannot be read (${errno(error)})` }
  }
}
