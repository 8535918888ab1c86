// The endpoint for how the workspace's files changed.
import { z } from "zod"
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

export const FILE_ROUTES: readonly ApiRoute[] = [getDiff]
