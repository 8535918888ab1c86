// Files that other programs, or retcon, run or obey unasked: writing one is more than an edit. A table, with reasons.
//
// It does not include what runs only when someone runs it (package.json, Makefile, conftest.py, source files): running
// is a command, and commands need approval. Nor AGENTS.md and the like, which are text for agents that ask in turn.
import { relative } from "node:path"
import { isWithin } from "../../model/within.ts"

interface Guard {
  /** The path below the workspace, in lower case: one name, or consecutive ones. `*` is any text, `$` the end. */
  path: string
  because: string
}

const GIT = "git runs hooks and programs that it names"
const CI = "a build server runs it"
const EDITOR = "an editor runs what it says when the folder is opened"
const AGENT = "a coding agent takes commands and permissions from it"
const SHELL = "a shell runs it when it starts"
const PACKAGES = "a package manager takes programs and servers from it"

const HOOKS =
  "pre-commit pre-push pre-rebase pre-receive prepare-commit-msg commit-msg post-commit post-checkout post-merge post-rewrite post-receive update fsmonitor-watchman".split(
    " ",
  )

const GUARDS: readonly Guard[] = [
  ...["*.git", ".githooks"].map((path) => ({ path, because: GIT })),
  ...HOOKS.map((name) => ({ path: `hooks/${name}`, because: GIT })),
  ...["head$", "commondir$", "gitdir$"].map((path) => ({
    path,
    because: "it can make a folder a repository whose settings git runs",
  })),
  ...[".gitmodules", ".gitattributes", ".lfsconfig"].map((path) => ({ path, because: GIT })),
  ...[".husky", ".pre-commit-config.yaml", "lefthook.y*ml", ".lefthook.y*ml", ".lefthook", ".overcommit.yml"].map(
    (path) => ({
      path,
      because: "git hooks run what it says",
    }),
  ),
  ...[".retcon.json"].map((path) => ({ path, because: "retcon takes rules and programs from it" })),
  ...[
    ".mcp.json",
    ".claude",
    ".cursor",
    ".codex",
    ".gemini",
    ".windsurf",
    ".kiro",
    ".opencode",
    ".continue",
    ".aider*",
    ".roo",
    ".cline*",
  ].map((path) => ({ path, because: AGENT })),
  ...[
    ".vscode",
    ".idea",
    ".fleet",
    ".zed",
    ".devcontainer",
    ".devcontainer.json",
    ".exrc",
    ".nvimrc",
    ".nvim.lua",
    ".vimrc",
    ".dir-locals.el",
    "*.code-workspace",
    ".sublime-project",
  ].map((path) => ({ path, because: EDITOR })),
  ...[".envrc", ".direnvrc", "mise.toml", ".mise.toml", ".mise", ".config/mise*", "devenv.nix", ".autoenv*"].map(
    (path) => ({
      path,
      because: "a shell runs it when somebody enters the folder",
    }),
  ),
  ...[
    ".npmrc",
    ".yarnrc",
    ".yarnrc.yml",
    ".yarn",
    ".pnpmfile.*js",
    ".pnp.*js",
    "bunfig.toml",
    "pip.conf",
    ".pypirc",
    ".cargo",
    "uv.toml",
    ".gemrc",
    ".bundle",
    "nuget.config",
    ".mvn",
    "init.gradle*",
  ].map((path) => ({ path, because: PACKAGES })),
  ...[
    ".github/workflows",
    ".github/actions",
    ".gitea/workflows",
    ".forgejo/workflows",
    ".gitlab-ci.y*ml",
    ".gitlab/ci",
    ".circleci",
    ".buildkite",
    ".travis.yml",
    ".drone.y*ml",
    ".woodpecker*",
    "azure-pipelines*.y*ml",
    "bitbucket-pipelines.yml",
    "appveyor.yml",
    ".appveyor.yml",
    "jenkinsfile",
    "cloudbuild.y*ml",
    ".semaphore",
    "buildspec.y*ml",
  ].map((path) => ({ path, because: CI })),
  ...[
    ".bashrc",
    ".bash_profile",
    ".bash_login",
    ".bash_logout",
    ".bash_aliases",
    ".profile",
    ".zshrc",
    ".zshenv",
    ".zprofile",
    ".zlogin",
    ".zlogout",
    ".kshrc",
    ".cshrc",
    ".tcshrc",
    ".inputrc",
    ".config/fish",
  ].map((path) => ({ path, because: SHELL })),
  ...[
    ".gdbinit",
    ".lldbinit",
    ".tmux.conf",
    ".screenrc",
    ".ssh",
    ".gnupg",
    ".config/autostart",
    ".config/systemd",
    ".config/git",
    ".gitconfig",
    "crontab",
    ".xprofile",
    ".xsession",
    ".xinitrc",
    "library/launchagents",
  ].map((path) => ({ path, because: "a program runs what it says when it starts" })),
]

const compiled = GUARDS.map(({ path, because }) => ({
  because,
  last: path.endsWith("$"),
  names: path
    .replace(/\$$/, "")
    .split("/")
    .map((name) => new RegExp(`^${name.replaceAll(".", "\\.").replaceAll("*", ".*")}$`, "s")),
}))

/** Why writing this path is more than an edit; undefined if it is not. Both paths are resolved. */
export function guardOf(path: string, root: string): string | undefined {
  // Some file systems ignore case, and invisible characters.
  const inside = isWithin(root, path) ? relative(root, path) : path
  const names = inside
    .replace(/\p{Cf}/gu, "")
    .toLowerCase()
    .split("/")
  const fits = ({ names: wanted, last }: (typeof compiled)[number], at: number) =>
    (!last || at + wanted.length === names.length) && wanted.every((name, i) => name.test(names[at + i] ?? "/"))
  const found = compiled.find((guard) => names.some((_, at) => fits(guard, at)))
  return found?.because
}
