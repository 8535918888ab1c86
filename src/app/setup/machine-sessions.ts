// The sessions of this machine, and how they are opened: ours, and those of other agents in the person's home.
import { type AgentsStoreOptions, everyAgentsStore } from "../../foreign/agents-store.ts"
import type { SessionOptions } from "../../session/state/open-session.ts"
import { systemOptions } from "../../session/state/system.ts"
import type { AppDeps } from "../port/app-deps.ts"

type Opening = AgentsStoreOptions & Required<Pick<SessionOptions, "durability" | "via">>

export function machineSessions({ durability, via, ...where }: Opening): Pick<AppDeps, "store" | "sessionOptions"> {
  return { store: everyAgentsStore(where), sessionOptions: { ...systemOptions(), durability, via } }
}
