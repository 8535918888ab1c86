// What a session and its sub-agents had cost before it was opened here, from their logs.
import { addSpending, NOTHING_SPENT, type Spending } from "../../model/spending.ts"
import type { SessionContents } from "../../protocol/host.ts"
import type { Totals } from "../../protocol/shapes.ts"
import { priceOf } from "../../provider/catalogue/models.ts"
import { spent } from "../../provider/port/usage.ts"
import { totalsOf } from "../../runner/window/meter.ts"
import { ownConfig } from "../config/folder-trust.ts"
import { modelSettings } from "../config/model-config.ts"
import { loggedRequests } from "../digest/logged-requests.ts"
import type { AppDeps } from "../port/app-deps.ts"
import { withTasks } from "./session-kinds.ts"

export async function spentBefore(deps: AppDeps, session: SessionContents): Promise<Totals | undefined> {
  if (session.file === undefined) return undefined
  const listed = await deps.store.list({ cwd: session.cwd })
  const own = withTasks(session.id, listed)
  const files = listed.flatMap(({ id, file }) => (id !== session.id && own.has(id) && file !== undefined ? [file] : []))
  const { models } = modelSettings(ownConfig(deps.home), {})
  // A timer takes a millisecond, in which everything else comes first, and keeps nobody from leaving: nobody waits for
  // this sum, and the log may have a gigabyte.
  const tick = () => new Promise<void>((settle) => void setTimeout(settle).unref())
  let sum: Spending = NOTHING_SPENT
  for (const file of [session.file, ...files]) {
    for (const { model, usage } of await loggedRequests(file, tick)) {
      sum = addSpending(sum, spent(usage, model, priceOf(model, models)))
    }
  }
  return totalsOf(sum, 0)
}
