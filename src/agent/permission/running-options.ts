// Options that run a program: allowing a command with anything after it does not allow these. The person is asked.
import { basename } from "node:path"
import type { Word } from "./shell-words.ts"

interface Running {
  /** Long options, which may be abbreviated. */
  long?: readonly string[]
  /** Any other word that runs a program. */
  word?: RegExp
}

const SSH = { word: /(?:Proxy|Local|KnownHosts)Command/i }

const RUNNING: Readonly<Record<string, Running>> = {
  git: {
    long: "--config-env --exec-path --upload-pack --receive-pack --exec --ext-diff --open-files-in-pager --extcmd".split(
      " ",
    ),
    // `-c alias.x=!sh`, as one word or as the value of -c.
    word: /^(?:-c)?[A-Za-z][\w-]*\.[^\s=]*=/,
  },
  tar: {
    long: "--to-command --use-compress-program --checkpoint-action --info-script --new-volume-script --rsh-command --rmt-command".split(
      " ",
    ),
    word: /^-(?!-)[^fC]*[IF]/,
  },
  cpio: { long: ["--rsh-command"] },
  rsync: { long: ["--rsh", "--rsync-path"], word: /^-(?!-)[^fTB]*e/ },
  zip: { long: ["--unzip-command"], word: /^-TT/ },
  man: { long: ["--pager", "--html"], word: /^-[PH]/ },
  npm: { long: ["--script-shell", "--node-options", "--prefix", "--userconfig"], word: /^-C/ },
  pnpm: { long: ["--script-shell", "--dir", "--prefix"], word: /^-C/ },
  yarn: { long: ["--cwd"] },
  cargo: { long: ["--config", "--manifest-path"], word: /^-[CZ]/ },
  go: { word: /^--?(?:exec|toolexec|vettool|C|modfile|overlay)(?:=|$)/ },
  make: {
    long: ["--eval", "--file", "--makefile", "--directory", "--include-dir"],
    word: /^-(?!-)[a-zA-Z]*[fCEI]|^(?:SHELL|\.SHELLFLAGS|MAKEFILES|MAKEFLAGS)[:+?]*=/,
  },
  fd: { long: ["--exec", "--exec-batch"], word: /^-(?!-)[a-zA-Z]*[xX]/ },
  wget: { long: ["--use-askpass"] },
  ssh: SSH,
  scp: { word: /ProxyCommand|^-S/i },
  sftp: { word: /ProxyCommand|^-S/i },
}

/** `rest`: the words that the rule itself does not name. */
export function runsAnother(program: string, rest: readonly Word[]): boolean {
  const name = basename(program)
  if (!Object.hasOwn(RUNNING, name)) return false
  const { long = [], word } = RUNNING[name] as Running
  return rest.some(({ text, becomes, begins }, i) => {
    // Only the shell knows what it becomes. A path is no option.
    if (becomes !== "itself" && !/^\.{0,2}\//.test(begins)) return true
    const option = text.replace(/=.*$/s, "")
    if (option.length > 3 && option.startsWith("--") && long.some((each) => each.startsWith(option))) return true
    // tar's first word needs no dash.
    return word?.test(name === "tar" && i === 0 && !text.startsWith("-") ? `-${text}` : text) === true
  })
}
