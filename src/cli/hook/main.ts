// The program that other agents run as a hook: `node hook.cjs AGENT`. It is small, as the rest comes in compiled form.
import { keepCompiled } from "../process/compile-cache.ts"

const [agent = ""] = process.argv.slice(2)
keepCompiled("hook")
void import("./run-hook.ts").then(({ runHook }) => runHook(agent))
