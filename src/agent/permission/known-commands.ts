// What we know about commands: options that neither run a program nor write a file, and commands that run arguments.
import { basename } from "node:path"
import { mayBeOption, type Word } from "./shell-words.ts"

/** `harmless`: only with options in the table. `runs`: its arguments are code. `unknown`: not in any table. */
export type KnownCommand =
  | { kind: "harmless"; name: string; options: Options; operands: number }
  | { kind: "runs" }
  | { kind: "unknown" }

interface Options {
  /** Letters that may be combined after one dash. */
  letters: ReadonlySet<string>
  /** Letters after which the rest of the word is a value. */
  values: ReadonlySet<string>
  /** Whole words: `--name`, which may have `=value`, and `-name` of find and test. */
  words: ReadonlySet<string>
}

const DIFF =
  "-p -u -s -z -w -b -R -a -r -t -U= -M= -C= -B= -S= -G= --patch --no-patch --unified --stat --numstat --shortstat --dirstat --summary --name-only --name-status --color --no-color --word-diff --ignore-all-space --ignore-space-change --ignore-blank-lines --find-renames --find-copies --diff-filter --raw --minimal --patience --histogram --full-index --abbrev --binary --exit-code --quiet --function-context --no-ext-diff --no-textconv --no-renames --relative --cached --staged --merge-base --no-index"
const LOG = `${DIFF} -n= -L= -i -E -F -P -g -c -m -q --oneline --graph --decorate --no-decorate --all --branches --tags --remotes --since --until --after --before --author --committer --grep --pretty --format --date --reverse --first-parent --merges --no-merges --max-count --skip --follow --abbrev-commit --no-abbrev-commit --left-right --cherry-pick --cherry-mark --topo-order --date-order --show-signature --source --walk-reflogs --invert-grep --regexp-ignore-case --no-walk --simplify-by-decoration --ancestry-path --boundary --count`
const GREP =
  "-n -i -w -x -l -L -c -v -o -h -H -E -F -G -P -r -R -s -q -z -Z -a -I -b -T -U -A= -B= -C= -m= -e= -f= --line-number --ignore-case --word-regexp --line-regexp --files-with-matches --files-without-match --count --invert-match --only-matching --no-filename --with-filename --extended-regexp --fixed-strings --basic-regexp --perl-regexp --recursive --dereference-recursive --no-messages --quiet --silent --null --text --include --exclude --exclude-dir --after-context --before-context --context --max-count --regexp --color --colour --binary-files"
const SUM = "-b -t -c -w -z --binary --text --check --tag --quiet --status --warn --zero --ignore-missing --strict"

/** The person is asked about options that are not listed, including abbreviated ones. */
const HARMLESS: Readonly<Record<string, string>> = {
  "git status":
    "-s -b -v -u= -z --short --branch --show-stash --porcelain --long --verbose --untracked-files --ignored --ignore-submodules --column --no-column --ahead-behind --no-ahead-behind --renames --no-renames",
  "git log": LOG,
  "git show": LOG,
  "git diff": DIFF,
  "git shortlog": "-s -n -e -c --summary --numbered --email --since --until --all --no-merges",
  "git blame": "-L= -w -M -C -l -t -s -e -f -n -p -c --porcelain --line-porcelain --show-email --date --since --root",
  "git grep": `${GREP.replace(" -f=", "")} -p -W --cached --untracked --no-index --heading --break --show-function --function-context --max-depth --and --or --not --all-match`,
  "git branch":
    "-a -r -v -l --list --all --remotes --verbose --contains --no-contains --merged --no-merged --show-current --sort --format --points-at --color --no-color --column --abbrev",
  "git rev-parse":
    "-q --verify --short --abbrev-ref --symbolic --symbolic-full-name --show-toplevel --show-prefix --show-cdup --git-dir --is-inside-work-tree --is-bare-repository --absolute-git-dir --all --branches --tags --quiet",
  "git rev-list": LOG,
  "git ls-files":
    "-c -d -m -o -i -s -u -k -t -v -z -x= --cached --deleted --modified --others --ignored --stage --unmerged --killed --exclude-standard --exclude --directory --full-name --error-unmatch --eol",
  "git ls-tree": "-r -t -d -l -z --name-only --name-status --object-only --long --full-name --full-tree --abbrev",
  "git describe": "--tags --all --always --dirty --long --abbrev --match --exclude --contains --exact-match",
  "git merge-base": "-a --all --is-ancestor --fork-point --octopus --independent",
  "git stash list": LOG,
  "git stash show": DIFF,
  "git worktree list": "-v -z --porcelain --verbose",
  "git add": "-A -u -n -v -N --all --update --dry-run --verbose --intent-to-add --no-all --refresh --renormalize",
  "git commit":
    "-m= -a -q -v -s -F= --message --all --quiet --verbose --signoff --amend --no-edit --allow-empty --dry-run --short --porcelain --author --date --fixup",
  ls: "-a -A -l -h -t -r -R -S -1 -d -F -i -s -n -o -g -G -p -C -x -m -c -u -U -X -L -H -q -b -Q -N -Z --all --almost-all --human-readable --recursive --reverse --sort --time --time-style --color --classify --directory --group-directories-first --inode --size --full-time --dereference --ignore --hide --width",
  cat: "-n -b -s -A -e -E -t -T -v -u --number --number-nonblank --squeeze-blank --show-all --show-ends --show-tabs --show-nonprinting",
  head: "-n= -c= -q -v -z --lines --bytes --quiet --silent --verbose",
  tail: "-n= -c= -f -F -q -v -z -s= --lines --bytes --follow --retry --pid --quiet --silent --verbose --sleep-interval",
  wc: "-l -w -c -m -L --lines --words --bytes --chars --max-line-length --total",
  grep: GREP,
  egrep: GREP,
  fgrep: GREP,
  rg: "-n -N -i -s -S -w -x -l -c -v -o -H -I -F -P -U -L -a -u -q -0 -p -A= -B= -C= -m= -e= -f= -g= -t= -T= -r= -d= -M= -j= --line-number --no-line-number --ignore-case --case-sensitive --smart-case --word-regexp --line-regexp --files-with-matches --files-without-match --files --count --count-matches --invert-match --only-matching --with-filename --no-filename --fixed-strings --pcre2 --multiline --multiline-dotall --hidden --no-ignore --no-ignore-vcs --glob --iglob --type --type-not --type-list --after-context --before-context --context --max-count --max-depth --max-columns --max-filesize --regexp --file --color --colors --heading --no-heading --sort --sortr --stats --json --vimgrep --column --trim --replace --null --text --quiet --unrestricted --follow --passthru --no-messages",
  find: "-name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -type -xtype -maxdepth -mindepth -size -mtime -mmin -atime -amin -ctime -cmin -newer -newermt -empty -perm -user -group -uid -gid -links -inum -readable -writable -executable -not -and -or -o -a -prune -depth -mount -xdev -follow -noleaf -print -print0 -printf -ls -quit -true -false -daystart -nouser -nogroup -samefile -lname -ilname -L -H -P",
  test: "-e -f -d -n -z -x -r -w -s -L -h -b -c -p -S -t -u -g -k -O -G -N -a -o -eq -ne -lt -le -gt -ge -nt -ot -ef",
  sort: "-b -d -f -g -i -M -h -n -R -r -V -c -C -m -s -u -z -k= -t= --ignore-leading-blanks --dictionary-order --ignore-case --general-numeric-sort --human-numeric-sort --numeric-sort --random-sort --reverse --version-sort --check --merge --stable --unique --zero-terminated --key --field-separator --sort --parallel",
  "sed -n": "-n -E -r -s -u -z --quiet --silent --regexp-extended --separate --unbuffered --null-data",
  uniq: "-c -d -D -i -u -z -f= -s= -w= --count --repeated --unique --ignore-case --skip-fields --skip-chars --check-chars --zero-terminated",
  cut: "-b= -c= -d= -f= -s -n -z --bytes --characters --delimiter --fields --only-delimited --complement --output-delimiter",
  tr: "-c -C -d -s -t --complement --delete --squeeze-repeats --truncate-set1",
  diff: "-u -c -r -N -q -s -w -b -B -i -y -a -E -t -T -p -U= -C= -x= -W= -I= --unified --recursive --new-file --brief --report-identical-files --ignore-all-space --ignore-space-change --ignore-blank-lines --ignore-case --side-by-side --color --text --exclude --width --suppress-common-lines --minimal --strip-trailing-cr",
  cmp: "-b -l -s -n= -i= --print-bytes --verbose --quiet --silent --bytes --ignore-initial",
  comm: "-1 -2 -3 -z --check-order --nocheck-order --output-delimiter --total",
  nl: "-b= -w= -s= -n= -v= -i=",
  tac: "-b -r -s=",
  rev: "",
  fold: "-w= -s -b",
  paste: "-d= -s -z",
  seq: "-s= -f= -w",
  stat: "-L -f -c= -t --dereference --file-system --format --printf --terse",
  file: "-b -i -k -L -h -r -s -p --brief --mime --mime-type --mime-encoding --dereference",
  du: "-a -b -c -d= -h -k -m -s -x -L -S -0 --all --apparent-size --bytes --total --max-depth --human-readable --summarize --one-file-system --exclude --time",
  df: "-a -h -H -i -k -l -T -t= -x= -P --all --human-readable --inodes --local --print-type --output --total",
  basename: "-a -s= -z --multiple --suffix --zero",
  dirname: "-z --zero",
  realpath:
    "-e -m -L -P -q -s -z --canonicalize-existing --canonicalize-missing --relative-to --relative-base --no-symlinks",
  readlink: "-f -e -m -n -q -s -v -z --canonicalize --canonicalize-existing --canonicalize-missing",
  which: "-a --all",
  pwd: "-L -P",
  whoami: "",
  id: "-u -g -G -n -r -z --user --group --groups --name --real",
  uname: "-a -s -n -r -v -m -p -i -o",
  // Each letter may take the next word: `-Lo 2 F` writes F.
  tree: "-a -d -f -i -l -x -L -P -I -p -u -g -s -h -D -F -C -n -t -r -J -X --gitignore --dirsfirst --noreport --prune --filelimit --du",
  jq: "-r -c -e -s -n -S -a -j -M -C -R --raw-output --compact-output --exit-status --slurp --null-input --sort-keys --ascii-output --join-output --monochrome-output --color-output --raw-input --tab --indent --arg --argjson --args --jsonargs --stream",
  md5sum: SUM,
  sha1sum: SUM,
  sha256sum: SUM,
  cksum: "",
  true: "",
  false: "",
  sleep: "",
  nproc: "--all --ignore",
}

/** Their options are whole words after one dash, not letters. */
const BY_WORD = new Set(["find", "test", "["])
/** The second operand of uniq is a file that it writes. */
const MOST_OPERANDS: Readonly<Record<string, number>> = { uniq: 1 }

const ADDRESS = String.raw`(?:\d+|\$|/(?:[^/\\\n]|\\.)*/I?)`
const SED = String.raw`(?:${ADDRESS}(?:,(?:${ADDRESS}|[+~]\d+))?)? *!? *[p=dq]`
/** Commands whose first operand is a program: what it may look like. This one only prints lines. */
const FIRST_OPERAND: Readonly<Record<string, RegExp>> = { "sed -n": new RegExp(`^${SED}(?: *; *${SED})*$`) }

/** Programs that run their arguments, whatever else they do. */
export const WRAPPERS: ReadonlySet<string> = new Set(
  `sudo doas env xargs nohup nice ionice time timeout exec command builtin eval sh bash zsh dash ksh fish csh tcsh chpst watch ssh su
  setsid stdbuf parallel busybox toybox flock chroot unshare nsenter strace script trap npx pnpx bunx uvx pipx
  corepack entr systemd-run bwrap gosu runuser sg pkexec run0 chrt taskset numactl prlimit setpriv fakeroot proot
  linux32 linux64 setarch unbuffer rlwrap xvfb-run dbus-run-session caffeinate firejail proxychains proxychains4
  torsocks torify valgrind perf ltrace gdb lldb cpulimit chronic hyperfine watchexec nodemon concurrently cross-env
  dotenv foreman direnv mise asdf pyenv rbenv nix-shell nix conda mamba tmux screen at batch crontab ssh-agent`.split(
    /\s+/,
  ),
)

/** Commands that run what their arguments, or a file of the project, say. */
const RUNS = new Set([
  ...WRAPPERS,
  ...`source . read let declare typeset local export readonly unset printf mapfile readarray wait getopts alias
  enable set shopt bind complete compgen coproc awk gawk mawk nawk sed perl python python2 python3 ruby node deno bun
  php lua tclsh expect osascript make gmake just task rake ninja tar zip vim vi nvim emacs ed ex less more man
  docker podman kubectl helm git:config git:bisect git:submodule git:filter-branch git:rebase git:difftool
  git:mergetool git:fetch git:pull git:clone git:push git:remote git:ls-remote git:archive git:am git:apply git:hook
  git:maintenance git:send-email git:daemon npm:run npm:run-script npm:exec npm:x npm:install npm:i npm:ci npm:init
  npm:create npm:start npm:config npm:set npm:explore pnpm:run pnpm:exec pnpm:dlx pnpm:install pnpm:i pnpm:add
  yarn:run yarn:exec yarn:dlx yarn:add yarn:install uv:run uv:pip uv:tool uv:sync uv:add pip:install pip3:install
  pip:config go:run go:generate go:install go:tool go:env cargo:run cargo:install dotnet:run dotnet:tool gradle mvn
  ant gh:alias gh:extension gh:api jj:config R Rscript julia elixir iex ghci scala groovy clojure pwsh nu xonsh
  socat nc ncat dc m4 mysql sqlite3 psql tsx ts-node jj:run`
    .split(/\s+/)
    .map((each) => each.replace(":", " ")),
])

/** Judged by the words as the shell would pass them; a word that only the shell can expand is not a name. */
export function knownCommand(words: readonly Word[]): KnownCommand {
  const names = words.slice(0, 3).map((word) => (word.becomes === "itself" ? word.text : ""))
  const keys = keysOf([basename(names[0] ?? ""), ...names.slice(1)])
  const name = keys.find(isHarmless)
  if (name !== undefined) {
    return {
      kind: "harmless",
      name,
      options: optionsOf(name),
      operands: MOST_OPERANDS[name] ?? Number.POSITIVE_INFINITY,
    }
  }
  return keys.some((key) => RUNS.has(key)) ? { kind: "runs" } : { kind: "unknown" }
}

/** The longest first: `git stash list`, `git stash`, `git`. */
function keysOf(names: readonly string[]): string[] {
  return names.map((_, i) => names.slice(0, names.length - i).join(" "))
}

/** Whether exactly these words name a command that runs what follows them: `npm run`, `make`. */
export function runsAsItIs(words: readonly string[]): boolean {
  const [program = "", ...more] = words
  return RUNS.has([basename(program), ...more].join(" "))
}

/** The words that identify a harmless command: what a wider rule would contain. */
export function harmlessName(words: readonly Word[]): string | undefined {
  const known = words[0]?.text.includes("/") === true ? undefined : knownCommand(words)
  return known?.kind === "harmless" ? known.name : undefined
}

function isHarmless(key: string): boolean {
  return Object.hasOwn(HARMLESS, key) || key === "[" || key === "echo"
}

const parsed = new Map<string, Options>()

function optionsOf(key: string): Options {
  const name = key === "[" ? "test" : key
  const known = parsed.get(key)
  if (known !== undefined) return known
  const all = (HARMLESS[name] ?? "").split(" ").filter((each) => each !== "")
  const byWord = BY_WORD.has(key)
  const letters = byWord ? [] : all.filter((each) => /^-[^-]=?$/.test(each))
  const options = {
    letters: new Set(letters.map((each) => each[1] as string)),
    values: new Set(letters.filter((each) => each.endsWith("=")).map((each) => each[1] as string)),
    words: new Set(byWord ? all : all.filter((each) => each.startsWith("--"))),
  }
  parsed.set(key, options)
  return options
}

/** Whether a harmless command stays harmless with these words after it. Echo just prints its arguments. */
export function areHarmless(
  { name, options, operands }: Extract<KnownCommand, { kind: "harmless" }>,
  rest: readonly Word[],
): boolean {
  if (name === "echo") return true
  // At every position: `--` ends nothing, because it may be the value of the option before it.
  if (!rest.every((word) => !mayBeOption(word) || isListed(word, options))) return false
  const given = rest.filter((word) => !mayBeOption(word))
  const first = FIRST_OPERAND[name]
  if (first !== undefined && !(given[0]?.becomes === "itself" && first.test(given[0].text))) return false
  return given.length <= operands && (operands === Number.POSITIVE_INFINITY || given.every(isOneWord))
}

function isOneWord({ becomes }: Word): boolean {
  return becomes !== "several"
}

/** Contract: true only if whatever the word becomes is an option of the table, or several of them. */
function isListed({ becomes, begins }: Word, { letters, values, words }: Options): boolean {
  const certain = becomes === "itself"
  if (words.has(begins.replace(/=.*$/s, ""))) return certain || begins.includes("=")
  if (!/^-[^-]/.test(begins)) return false
  for (const letter of begins.slice(1)) {
    if (values.has(letter)) return true
    if (!letters.has(letter) && !/[0-9]/.test(letter)) return false
  }
  return certain && (letters.size > 0 || /^-\d+$/.test(begins))
}
