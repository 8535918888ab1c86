// A command with other arguments, as a rule and in words: what a person may allow beyond exactly this one.
import { basename } from "node:path"
import { harmlessName, knownCommand } from "./known-commands.ts"
import type { Word } from "./shell-words.ts"

export interface WiderCommand {
  /** The words that the rule names. */
  name: string
  rule: string
}

const HOOKS = "runs the hooks of this repository"
const CONFIGURED = "git runs the filters and other programs that its configuration names"
const TESTS = "runs the code of the tests, whatever it does"
const BUILD = "compiles and runs the code of this folder, whatever it does"
const SETTINGS = "runs and obeys the settings in this folder, and may write files"
const FILES = "changes files, also outside this folder"
const TASKS = "runs whatever the build file in this folder says"
const NETWORK = "sends and receives anything, and may write files"
const INSTALLS = "installs packages, and runs what they say"
const PACKAGE = "runs that program of a package, which may be downloaded for it"

/** Words of commands, and what allowing them with any arguments means. */
const MEANINGS = meanings({
  [HOOKS]: "git:commit git:merge git:checkout git:switch git:cherry-pick git:revert git:am git:worktree:add",
  [`sends commits to other machines, and ${HOOKS}`]: "git:push",
  [`fetches commits from other machines, and ${HOOKS}`]: "git:pull",
  "fetches commits from other machines": "git:fetch git:clone git:ls-remote git:remote:update",
  [CONFIGURED]:
    "git:status git:diff git:log git:show git:blame git:stash git:stash:list git:stash:show git:restore git:reset git:clean git:grep git:shortlog git:rev-list git:describe",
  [`changes what is committed next; ${CONFIGURED}`]: "git:add git:rm git:mv",
  "lists branches, and creates new ones": "git:branch",
  [TESTS]: "pytest vitest jest mocha ava tap tox nox rspec phpunit ctest bats playwright cypress bun:test deno:test",
  [BUILD]:
    "cargo:test cargo:build cargo:check cargo:clippy cargo:run cargo:bench cargo:doc cargo:nextest go:test go:build go:vet go:run dotnet:test dotnet:build dotnet:run swift:test swift:build zig:build zig:test mix:test mix:compile gcc g++ clang cc javac rustc",
  [SETTINGS]:
    "tsc eslint prettier biome ruff black mypy pyright flake8 pylint isort rustfmt gofmt stylelint svelte-check vue-tsc vite webpack rollup esbuild next cargo:fmt go:fmt go:mod",
  "makes folders, also outside this folder": "mkdir",
  "deletes files, also outside this folder": "rm rmdir unlink",
  [FILES]: "touch cp mv ln chmod chown tee dd truncate patch unzip gunzip gzip",
  [TASKS]: "make gmake just task rake ninja gradle ./gradlew mvn ./mvnw ant docker:build",
  [NETWORK]: "curl wget scp rsync http",
  [INSTALLS]:
    "npm:install npm:i npm:ci pnpm:install pnpm:i pnpm:add yarn:install yarn:add bun:install bun:add pip:install pip3:install uv:sync uv:add uv:pip poetry:install cargo:install cargo:add go:install go:get bundle:install composer:install",
  [PACKAGE]: "npx bunx uvx pnpx npm:exec pnpm:exec pnpm:dlx yarn:dlx yarn:exec bun:x",
})

const WHATEVER = "with any arguments, whatever it does with them"

/** Their first word is no part of their name: it is a file, or a value. */
const OPERANDS_ONLY = new Set("date kill ps open unzip tar zip convert ffmpeg shellcheck".split(" "))
/** Programs that run a program or a script, which is part of their name. */
const RUNNERS = new Set("npx bunx uvx pnpx".split(" "))
const RUN_WORDS = new Set(
  "npm run/npm run-script/npm exec/pnpm run/pnpm exec/pnpm dlx/yarn run/yarn exec/yarn dlx/bun run/bun x/uv run/poetry run/bundle exec/pipx run/deno run/deno task/docker compose/git stash/git remote/git worktree".split(
    "/",
  ),
)
export const INTERPRETERS = new Set(
  "python python2 python3 ruby node bun perl php lua bash sh zsh dash tsx ts-node".split(" "),
)
const SCRIPTS = new Set("npm pnpm yarn bun".split(" "))
/** With other arguments, they are every command, or change what other commands do. */
const NEVER = new Set(
  "git config/git rebase/git filter-branch/git bisect/git submodule/git difftool/git mergetool/git hook/git maintenance/git daemon/git send-email/npm config/npm set/npm explore/npm init/npm create/gh alias/gh extension/gh api/jj config/jj run/go env/go tool/go generate/pip config/docker run/docker exec/docker compose/docker cp/podman run/podman exec/kubectl exec/kubectl run/kubectl debug/kubectl cp/cd/pushd/popd".split(
    "/",
  ),
)

/** Undefined: every command of that kind is as good as every command, or nobody can say what it would be. */
export function widerCommand(words: readonly Word[]): WiderCommand | undefined {
  const harmless = harmlessName(words)
  if (harmless !== undefined) return { name: harmless, rule: `Bash(${harmless})` }
  const name = nameOf(words)
  return name === undefined ? undefined : { name, rule: `Bash(${name} *)` }
}

function nameOf(words: readonly Word[]): string | undefined {
  const [program = "", first = "", second = ""] = words.slice(0, 3).map(plainName)
  if (program === "") return undefined
  const named = [program, first, second].filter((word) => word !== "")
  if (named.some((_, i) => NEVER.has(named.slice(0, i + 1).join(" ")))) return undefined
  if (INTERPRETERS.has(program)) return scriptOf(words)
  if (RUNNERS.has(program)) return runner([program], first)
  if (RUN_WORDS.has(`${program} ${first}`)) return runner([program, first], second)
  if (program === "gh") return second === "" ? undefined : `gh ${first} ${second}`
  if (MEANINGS.has(`${program} ${first}`)) return `${program} ${first}`
  if (MEANINGS.has(program) || OPERANDS_ONLY.has(program)) {
    return TASK_RUNNERS.has(program) && first !== "" ? `${program} ${first}` : program
  }
  // Sudo, xargs, eval: they run their arguments.
  if (knownCommand(words.slice(0, 1)).kind === "runs") return undefined
  // `yarn node` runs node.
  if (SCRIPTS.has(program) && runsCode(first)) return undefined
  if (WITH_SUBCOMMANDS.has(basename(program)) && (first === "" || program.includes("/"))) return undefined
  return first === "" || program.includes("/") ? program : `${program} ${first}`
}

const WITH_SUBCOMMANDS = new Set(
  [...MEANINGS.keys()].filter((name) => name.includes(" ")).map((name) => name.split(" ")[0]),
)
const TASK_RUNNERS = new Set("make gmake just task rake ninja gradle mvn ./gradlew ./mvnw".split(" "))

/** A word that may name a command, a target or a script; otherwise empty. */
function plainName({ text, becomes }: Word): string {
  return becomes === "itself" && /^[A-Za-z0-9_.@/][\w.:@/+-]*$/.test(text) ? text : ""
}

function runner(before: readonly string[], program: string): string | undefined {
  const isScript = SCRIPTS.has(before[0] ?? "") && before[1]?.startsWith("run") === true
  return program === "" || (runsCode(program) && !isScript) ? undefined : [...before, program].join(" ")
}

function runsCode(program: string): boolean {
  return INTERPRETERS.has(basename(program)) || knownCommand([literal(program)]).kind === "runs"
}

/** `python3 tool.py`, `python -m pytest`: what follows are arguments of the script. */
function scriptOf(words: readonly Word[]): string | undefined {
  const [program = "", first = "", second = ""] = words.slice(0, 3).map(plainName)
  if (program === "bun" && !/[./]/.test(first)) return first === "" || runsCode(first) ? undefined : `bun ${first}`
  if (program.startsWith("python") && words[1]?.text === "-m" && second !== "") return `${program} -m ${second}`
  return first === "" ? undefined : `${program} ${first}`
}

function literal(text: string): Word {
  return { text, becomes: "itself", begins: text }
}

/** What a rule for these words allows, with any arguments. Undefined: nothing but what the words say. */
export function meaningOf(name: string, open: boolean): string | undefined {
  const words = name.split(" ")
  const [program = "", first = "", second] = words
  const known = words.map((_, i) => MEANINGS.get(words.slice(0, words.length - i).join(" "))).find((each) => each)
  const script = scriptName(program, first, second)
  if (script !== undefined) return `runs whatever the script "${script}" in package.json says, with any arguments`
  if (first === "-m")
    return second === "pytest" || second === "unittest" ? TESTS : `runs the module ${second}, ${WHATEVER}`
  if (INTERPRETERS.has(program) && first !== "") return `runs ${first}, whatever that file says, with any arguments`
  if (program === "gh") return "does it on GitHub, as you, with any arguments"
  return known ?? (open ? WHATEVER : undefined)
}

function scriptName(program: string, first: string, second: string | undefined): string | undefined {
  if (!SCRIPTS.has(program) || MEANINGS.has(`${program} ${first}`)) return undefined
  if (first === "run" || first === "run-script") return second
  if (program === "npm")
    return ["test", "t", "start", "stop", "restart"].includes(first) ? first.replace(/^t$/, "test") : undefined
  return program === "bun" || first === "" ? undefined : first
}

/** Git's options and commands that make it run other programs, as sentences for a question. */
export function runsOthersToo(commands: readonly (readonly Word[])[]): string[] {
  const found = commands.flatMap((words) => {
    const names = words.slice(0, 2).map(({ text }) => text)
    const name = names.join(" ")
    if (basename(names[0] ?? "") !== "git") return []
    if (/^(?:-c|--config-env)/.test(names[1] ?? "")) return ["With -c, git may run other programs."]
    const hooks = (MEANINGS.get(name) ?? "").includes(HOOKS) || name === "git rebase"
    return hooks ? [`\`${name}\` ${HOOKS}, if it has any.`] : []
  })
  return [...new Set(found)]
}

function meanings(table: Record<string, string>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(table).flatMap(([meaning, names]) =>
      names.split(" ").map((name): [string, string] => [name.replaceAll(":", " "), meaning]),
    ),
  )
}
