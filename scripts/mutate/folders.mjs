// What to change: the folders, each with the tests that notice most of its changes.
import { filesIn } from "../prepare.mjs"

/** Each with its own tests, which run first among those that run the changed function. */
export const FOLDERS = {
  model: /^test\/(model|history)\//,
  history: /^test\/history\//,
  ignore: /^test\/(ignore|workspace|agent\/tools)\//,
  redact: /^test\/redact\//,
  store: /^test\/store\//,
  workspace: /^test\/workspace\//,
  session: /^test\/session\//,
  provider: /^test\/provider\//,
  "agent/permission": /^test\/(agent\/permission|app\/consent-corpus)/,
  agent: /^test\/agent\//,
  runner: /^test\/(runner|app)\//,
  programs: /^test\/(programs|app)\//,
  app: /^test\/app\//,
  formats: /^test\/formats\//,
  foreign: /^test\/foreign\//,
  hooks: /^test\/(hooks|cli\/(hook|mcp))\//,
  protocol: /^test\/(protocol|app|client|server)\//,
  client: /^test\/(client|app)\//,
  server: /^test\/server\//,
  voice: /^test\/voice\//,
  cli: /^test\/cli\//,
  tui: /^test\/tui\//,
  web: /^test\/web\//,
}

/** For the terminal and the page, only what turns data into lines: long tests check the rest, in a real one. */
const ROOMS = {
  tui: /^src\/tui\/(conversation|overlay\/list|overlay\/tree|text|words)\//,
  web: /^web\/(conversation|doctor|move|open|sessions|show|text|tree)\/(?!branch\.|coloured|drawer|highlight|markdown|safe-html|tree-worker)[^.]+\.ts$/,
}
/** Tables of external facts, which a test could only repeat; a test suite; and the entry point, which no test loads. */
const LEFT_OUT = [
  "src/provider/catalogue/model-data.ts",
  "src/redact/pattern/prefix-data.ts",
  "src/store/contract.ts",
  "src/cli/main.ts",
]

/** The files of a folder to change, without those of a sub-folder that is also listed above. */
export function filesOf(folder, base) {
  const inner = Object.keys(FOLDERS).filter((name) => name.startsWith(`${folder}/`))
  const path = folder === "web" ? folder : `src/${folder}`
  const isOurs = (name) => name.endsWith(".ts") && !LEFT_OUT.includes(name) && (ROOMS[folder]?.test(name) ?? true)
  return filesIn(path, base).filter((name) => isOurs(name) && !inner.some((other) => name.startsWith(`src/${other}/`)))
}
