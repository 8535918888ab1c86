// What retcon does with other agents' sessions, and with its own files for them.
import { join } from "node:path"
import { writeTokenFile } from "../../src/cli/serve/token-file.ts"
import { PI_NAME, putPiSession } from "../cli/pi-session.ts"
import { EVERY_AGENT, EVERY_MOVED, putSample } from "../foreign/every-agent.ts"
import { FAKE_ACP } from "../programs/fake-acp.ts"
import { door } from "./door.ts"
import type { Flow } from "./machine.ts"
import type { Place } from "./place.ts"

const fs = door.real

const moves: Flow[] = EVERY_MOVED.map((sample) => {
  const at = (place: Place) => join(place.person, sample.at)
  return {
    name: `a move in a session of ${sample.agent}`,
    most: 3,
    prepare: async (place) => {
      const { main } = putSample(sample, place.person)
      // Where Claude Code says what it has open.
      fs.mkdirSync(join(place.person, ".claude/sessions"), { recursive: true })
      fs.cpSync(main, join(place.folder, "original"))
    },
    act: (place) => place.retcon(["back", "-s", at(place)]),
    next: (place) => place.retcon(["goto", "@2", "-s", at(place)]),
    async look(place) {
      const bytes = fs.readFileSync(join(at(place), sample.main ?? ""))
      const original = fs.readFileSync(join(place.folder, "original"))
      return {
        context: (await place.retcon(["show", "--context", "-s", at(place)])).out,
        prompts: (await place.retcon(["prompts", "--json", "-s", at(place)])).out,
        wholeLines: bytes.at(-1) === 10,
        begins: bytes.subarray(0, original.length).equals(original),
      }
    },
  }
})

const PI = EVERY_AGENT.find(({ agent }) => agent === "pi") as (typeof EVERY_AGENT)[number]
const inPi = ({ person }: Place) => join(person, PI.at)

function contents(folder: string, like = /(?<!\.tmp)$/): Record<string, string> {
  if (!fs.existsSync(folder)) return {}
  const names = fs.readdirSync(folder, { recursive: true, encoding: "utf8" }).sort()
  const files = names.filter((name) => like.test(name) && fs.statSync(join(folder, name)).isFile())
  return Object.fromEntries(files.map((name) => [name, fs.readFileSync(join(folder, name), "latin1").slice(0, 20_000)]))
}

const goneId = ({ folder }: Place) => fs.readFileSync(join(folder, "gone"), "utf8")

interface Prompted {
  text: string
  files?: { path: string }[]
}

const SETTINGS = '{\n  "model": "opus"\n}\n'
const TALK = JSON.stringify([
  { role: "user", content: "first" },
  { role: "assistant", content: "second" },
])

export const AGENT_FLOWS: readonly Flow[] = [
  ...moves,
  {
    name: "keep",
    prepare: async (place) => void putSample(PI, place.person),
    act: (place) => place.retcon("keep"),
    next: (place) => place.retcon("keep"),
    look: async (place) => contents(join(place.home, "kept"), /\.jsonl$/),
  },
  {
    name: "restore what was kept",
    async prepare(place) {
      putSample(PI, place.person)
      await place.retcon("keep")
      fs.rmSync(inPi(place))
      const { out } = await place.retcon("ls --all --json")
      const [gone] = JSON.parse(out) as { id: string }[]
      fs.writeFileSync(join(place.folder, "gone"), gone?.id ?? "")
    },
    act: (place) => place.retcon(["keep", "--restore", goneId(place)]),
    // Restores it if that is not done yet; otherwise says that it is there.
    async next(place) {
      const { exit, err } = await place.retcon(["keep", "--restore", goneId(place)])
      return { exit: /already in its agent/.test(err) ? 0 : exit, out: "", err }
    },
    look: async (place) => contents(join(place.person, ".pi")),
  },
  {
    name: "a prompt to another agent's own program",
    most: 3,
    async prepare(place) {
      const file = putPiSession(place)
      place.put("pi-acp", `#!${process.execPath}\n${FAKE_ACP.replaceAll("process.env.FAKE_PI", JSON.stringify(file))}`)
      place.named = PI_NAME
    },
    act: (place) => place.retcon(["run", "-r", place.named ?? "", `write ${place.cwd}/a.txt`]),
    next: (place) => place.retcon(["run", "-r", place.named ?? "", `write ${place.cwd}/b.txt`]),
    async look(place) {
      const context = (await place.retcon(`show --context -s ${place.named}`)).out.split("</cwd>").at(-1)
      const prompts = JSON.parse((await place.retcon(`prompts --json -s ${place.named}`)).out) as Prompted[]
      const changed = prompts.flatMap(({ text, files = [] }) => [text, ...files.map(({ path }) => path)])
      return { context, changed, files: contents(place.cwd) }
    },
    // The program works, whatever becomes of our snapshots; then they are not there, and that was said.
    alsoRight: (_, { err }) => door.isDead() || /Files are not covered: /.test(err),
  },
  {
    name: "hooks install",
    async prepare({ person }) {
      fs.mkdirSync(join(person, ".claude"))
      fs.writeFileSync(join(person, ".claude/settings.json"), SETTINGS)
    },
    act: (place) => place.retcon("hooks install claude-code --yes"),
    next: (place) => place.retcon("hooks install claude-code --yes"),
    look: async ({ person }) => contents(join(person, ".claude")),
  },
  {
    name: "import",
    prepare: async ({ cwd }) => fs.writeFileSync(join(cwd, "talk.json"), TALK),
    act: (place) => place.retcon("import talk.json"),
    next: (place) => place.retcon("import talk.json --title again"),
    look: async (place) => (await place.retcon("ls --json")).out,
  },
  {
    name: "export to a file",
    async prepare(place) {
      fs.writeFileSync(join(place.cwd, "talk.json"), TALK)
      await place.retcon("import talk.json")
    },
    act: (place) => place.retcon(["export", "--to", "json", "-o", join(place.cwd, "out.json")]),
    next: (place) => place.retcon(["export", "--to", "json", "-o", join(place.cwd, "next.json")]),
    look: async ({ cwd }) => contents(cwd),
  },
  {
    name: "export to Claude Code",
    async prepare(place) {
      fs.writeFileSync(join(place.cwd, "talk.json"), TALK)
      await place.retcon("import talk.json")
      const [imported] = JSON.parse((await place.retcon("ls --json")).out) as { id: string }[]
      place.named = imported?.id
    },
    act: (place) => place.retcon(`export --to claude-code -s ${place.named}`),
    next: (place) => place.retcon(`export --to claude-code -s ${place.named}`),
    look: async ({ person }) => Object.values(contents(person)),
  },
  {
    name: "gc",
    async prepare(place) {
      fs.writeFileSync(join(place.cwd, "talk.json"), TALK)
      await place.retcon("import talk.json")
      await place.retcon("rm --yes")
      await place.retcon("import talk.json")
    },
    act: (place) => place.retcon("gc"),
    next: (place) => place.retcon("gc"),
    look: async (place) => (await place.retcon("ls --json")).out,
  },
  {
    name: "the token of a server",
    prepare: async () => undefined,
    act: (place) => place.answer(async () => writeTokenFile(place.home, 4180, { url: "", token: "secret", pid: 1 })),
    next: (place) =>
      place.answer(async () => writeTokenFile(place.home, 4180, { url: "", token: "next", pid: 1 }).remove()),
    look: async (place) => contents(join(place.home, "serve")),
    // Two files, each of them whole.
    alsoRight: (found) => door.isDead() && /^\{"4180\.json":"\{[^}]*\}\\n"\}$/.test(found.replaceAll('\\"', "'")),
  },
]
