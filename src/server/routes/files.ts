// Endpoints for how the workspace's files changed, and for what is wrong with a session.
import { z } from "zod"
import { path } from "../../history/tree/tree.ts"
import { ORIGINS, ROLES } from "../../model/record/origin.ts"
import { KIND } from "../../model/record/record.ts"
import type { SessionContents } from "../../protocol/host.ts"
import { json, refused } from "../answer/problem.ts"
import { type ApiRoute, sessionRoute } from "../api/route.ts"
import { ENTRY, open } from "../api/schemas.ts"

const getDiff = sessionRoute(
  {
    method: "get",
    path: "/diff",
    name: "getDiff",
    summary: "How files differ between two entries, or between an entry and now",
    query: z.strictObject({
      from: ENTRY.exactOptional(),
      to: ENTRY.exactOptional(),
      path: z.string().exactOptional().describe("Only this file or folder."),
    }),
    answers: {
      200: {
        about: "A unified diff, and its files.",
        schema: open({ patch: z.string(), files: z.array(open({ path: z.string(), change: z.string() })) }),
      },
    },
    problems: ["no-workspace", "snapshot-gone", "not-found"],
  },
  async ({ query: { path: only, ...ends } }, { session }) => {
    const answer = await session.diff({ ...ends, ...(only === undefined ? {} : { paths: [only] }) })
    return answer.outcome === "refused" ? refused(answer.failure) : json(answer)
  },
)

const COUNTED = z.object({ path: z.int(), all: z.int() })

const getDoctor = sessionRoute(
  {
    method: "get",
    path: "/doctor",
    name: "getDoctor",
    summary: "The contents of a session, and any damage",
    about: "`prompts` counts messages that a person typed; `userMessages` counts all messages with the user role.",
    answers: {
      200: {
        about: "Counts, and findings.",
        schema: open({
          kinds: z.record(z.string(), z.int()).describe("Lines by type."),
          origins: z.record(z.string(), z.int()).describe("Messages by origin."),
          prompts: COUNTED,
          userMessages: COUNTED,
          findings: z.array(open({ kind: z.string() })).exactOptional(),
          lines: z.array(open({ line: z.int(), origin: z.string(), why: z.string() })).exactOptional(),
        }),
      },
    },
  },
  async ({ at }, { session }) => {
    const found = (await at.options.doctor?.(session.id, session.file)) ?? {}
    return json({ ...countsOf(session), ...(found as object) })
  },
)

const KIND_NAMES = new Map<number, string>(Object.entries(KIND).map(([name, kind]) => [kind, name]))
const USER = ROLES.indexOf("user")

function countsOf({ history, head }: SessionContents): object {
  const onPath = new Set(path(history, head))
  const [kinds, origins]: [Record<string, number>, Record<string, number>] = [{}, {}]
  const [prompts, userMessages] = [
    { path: 0, all: 0 },
    { path: 0, all: 0 },
  ]
  const add = (counted: typeof prompts, row: number) => {
    counted.all++
    if (onPath.has(row)) counted.path++
  }
  for (let row = 0; row < history.size; row++) {
    const kind = history.kind(row)
    const name = KIND_NAMES.get(kind) ?? "unknown"
    kinds[name] = (kinds[name] ?? 0) + 1
    if (kind !== KIND.message) continue
    const origin = ORIGINS[history.origin(row)] ?? "unknown"
    origins[origin] = (origins[origin] ?? 0) + 1
    if (history.isPrompt(row)) add(prompts, row)
    if (history.role(row) === USER) add(userMessages, row)
  }
  return { kinds, origins, prompts, userMessages }
}

export const FILE_ROUTES: readonly ApiRoute[] = [getDiff, getDoctor]
