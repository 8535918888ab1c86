// The agents whose sessions retcon reads, and those for which it can create one.
export { AGENTS, CREATABLE } from "../../formats/all/formats.ts"
