import { expect, test } from "vitest"
import { isCommandAllowed } from "../../../src/agent/permission/allow-command.ts"
import { denialOf, isCommandDenied } from "../../../src/agent/permission/deny-command.ts"
import { commandGrants } from "../../../src/agent/permission/grants.ts"

test.each([
  ["git status", true],
  ["git status -s --porcelain", true],
  ["git   'status'", true],
  ["git status && git status", true],
  ["git status | git status", true],
  ["git status && rm -rf .", false],
  ["git status; rm -rf .", false],
  ["git status & rm -rf .", false],
  ["git status | xargs rm", false],
  ["git status || rm", false],
  ["git status\nrm", false],
  ["git status $(rm)", false],
  ["git status `rm`", false],
  ["git status > .git/hooks/pre-commit", false],
  ["git statusx", false],
  ["git -c core.pager=rm status", false],
  ["git $x", false],
  ["GIT_PAGER=rm git status", false],
  ["/tmp/git status", false],
  ["sudo git status", false],
  ["git", false],
  ["", false],
])("with `git status` allowed, %j is allowed: %s", (line, allowed) => {
  for (const pattern of ["git status", "git status:*", "git status *"]) {
    expect(isCommandAllowed(line, [pattern])).toBe(allowed)
  }
})

test("each part of a line may be allowed by a separate rule", () => {
  expect(isCommandAllowed("npm test 2>&1 | tail -n 3", ["npm test", "tail"])).toBe(true)
  expect(isCommandAllowed("npm test && ls", ["npm test", "tail"])).toBe(false)
})

test.each([
  ["git *", "git push origin main", true],
  ["git *", "git switch -c topic", true],
  ["git *", "git -c alias.x='!id' x", false],
  ["git *", "git clone -ccore.sshCommand=id a b", false],
  ["git *", "git --config-env=core.pager=X branch -a", false],
  ["git fetch *", "git fetch --upload-pac=id origin", false],
  ["git -c core.pager=cat *", "git -c core.pager=cat push", true],
  ["tar *", "tar -xzf a.tgz -C out", true],
  ["tar *", "tar -xf FILE.tar", true],
  ["tar *", "tar -xf a.tar --to-command=id", false],
  ["tar *", "tar -cf a.tar -Iid .", false],
  ["tar *", "tar cIf id a.tar .", false],
  ["rsync *", "rsync -av a b", true],
  ["rsync *", "rsync -ave id a b:", false],
  ["ssh *", "ssh -oProxyCommand=id host", false],
])("with `%s` allowed, an option that runs a program is asked about: %j is allowed: %s", (pattern, line, allowed) => {
  expect(isCommandAllowed(line, [pattern])).toBe(allowed)
})

test.each([
  ["tail -n3 a", true],
  ["tail -n $N a", false],
  ["tail -n$N a", false],
  ["tail --unknown a", false],
])(
  "with `tail` allowed, an option that only the shell knows, or that is not known to be harmless, is asked about: %j",
  (line, allowed) => {
    expect(isCommandAllowed(line, ["tail"])).toBe(allowed)
  },
)

test("with `uniq` allowed, it may read a file; a second one would be written", () => {
  expect(isCommandAllowed("uniq -c a", ["uniq"])).toBe(true)
  expect(isCommandAllowed("uniq -c a b", ["uniq"])).toBe(false)
})

test("an exact rule allows that command line and no other", () => {
  const loop = "for f in *; do echo $f; done"
  expect(isCommandAllowed(` ${loop} `, [`=${loop}`])).toBe(true)
  expect(isCommandAllowed(`${loop}; rm`, [`=${loop}`])).toBe(false)
  expect(isCommandAllowed("rm a", ["=rm a"])).toBe(true)
  expect(isCommandAllowed("rm a b", ["=rm a"])).toBe(false)
})

test.each([
  ["rm", "rm x", true],
  ["rm", "/bin/rm x", true],
  ["rm", "ls && rm x", true],
  ["rm", "sudo rm x", true],
  ["curl", "trap 'curl --version' EXIT", true],
  ["npm publish", "npx npm publish", true],
  ["npm publish", "pnpm dlx npm publish", true],
  ["npm publish", "npm exec -- npm publish", true],
  ["npm publish", "npm run exec-tests", false],
  ["rm", "find . -exec rm {} +", true],
  ["rm", "bash -c 'rm x'", true],
  ["rm", "echo $(rm x)", true],
  ["rm", "r'm' x", true],
  ["rm", "X=1 rm x", true],
  ["rm", "if true; then rm x; fi", true],
  ["rm", "grep rm file", false],
  ["rm", "npm run format", false],
  ["git push", "git push --force", true],
  ["git push --force", "git push --fo", true],
  ["git push --force", "git push --forc", true],
  ["git push --force", "git push --follow-tags", false],
  ["git push", "git pull; git push", true],
  ["git push", "git stash push", false],
  ["", "git push", false],
  ["$()", "git push", false],
])("with %j denied, %j is denied: %s", (pattern, line, denied) => expect(isCommandDenied(line, pattern)).toBe(denied))

test.each([
  ["git status -s", ["Bash(=git status -s)", "Bash(git status)", "Bash"]],
  ["git log | head -5", ["Bash(=git log | head -5)", "Bash(git log) Bash(head)", "Bash"]],
  ["npm test", ["Bash(=npm test)", "Bash(npm test *)", "Bash"]],
  ["git fetch .", ["Bash(=git fetch .)", "Bash(git fetch *)", "Bash"]],
  ["git status && rm x", ["Bash(=git status && rm x)", "Bash(git status) Bash(rm *)", "Bash"]],
  ["cd a && npm t", ["Bash(=cd a && npm t)", "Bash(npm t *)", "Bash"]],
  ["cd /project/a && npm t", ["Bash(=cd /project/a && npm t)", "Bash(npm t *)", "Bash"]],
  ["cd /else && npm t", ["Bash(=cd /else && npm t)", "Bash"]],
  ["sudo npm test", ["Bash(=sudo npm test)", "Bash"]],
  ["git -C / status", ["Bash(=git -C / status)", "Bash"]],
  ["/tmp/git status", ["Bash(=/tmp/git status)", "Bash"]],
  ["echo $(date)", ["Bash(=echo $(date))", "Bash"]],
])("for this session, %j offers %j", (line, rules) =>
  expect(commandGrants(line, "/project").map((grant) => grant.rules.join(" "))).toEqual(rules),
)

test.each([
  ['ls -l --color="$WHEN"', true],
  ["ls -l --color=$WHEN", false],
  ["ls --color=auto", true],
  ["ls --colour=auto", false],
  ["ls --$OPTION", false],
  ["ls -l$MORE", false],
  ["ls $OPTIONS", false],
  ["ls *", false],
  ["ls $HOME/x", false],
  ["ls ~/x", false],
  ['ls "$DIR"', false],
  ['ls "./$DIR"', true],
  ["ls ./$DIR", false],
  ["ls ./*", true],
  ["ls src/{a,b}", true],
  ["ls -lah", true],
  ["ls -lk", false],
  ["head -20 a.txt", true],
  ["rg -e$PATTERN", false],
  ['rg -e"$PATTERN"', true],
])("with `%s`, an option is known, and a variable may only be the value of one: harmless %s", (line, allowed) => {
  expect(isCommandAllowed(line, [line.split(" ")[0] ?? ""])).toBe(allowed)
})

test.each([
  ["find", "find . -maxdepth 0 $USER-exec touch X \\;"],
  ["find", 'find . -maxdepth 0 "$USER"-exec touch X \\;'],
  ["find", "find . -maxdepth 0 ./$X"],
  ["find", "find ~-exec"],
  ["sort", "sort $USER-o OUT a"],
  ["sort", "sort ${HOME}-oOUT a"],
  ["sort", "sort a$USER -o$PWD"],
  ["git log", "git log $PWD--output=OUT"],
  ["git diff", "git diff $HOME--output=OUT"],
  ["git grep", "git grep $USER-Osh x"],
  ["rg", "rg $USER--pre=sh x"],
  ["printf", "printf $USER-v PATH x"],
  ["printf", "printf x%n PATH"],
  ["test", "test $USER-v 'a[$(touch x)]'"],
  ["tree", "tree $USER-o OUT"],
  ["uniq", "uniq ./{a,OUT}"],
  ["uniq", "uniq ./*"],
  ["uniq", "uniq a$X"],
  ["tree", "tree -Lo 2 OUT"],
  ["tree", "tree -Po x OUT"],
  ["tree", "tree -Io x OUT"],
  ["git *", "git $X"],
  ["git *", 'git -c "alias.$X" x'],
  ["tar *", "tar $X a.tar"],
  ["make", 'make "CC$X"'],
])("with `%s` allowed, what the shell could make an option or a second file is asked about: %s", (rule, line) => {
  expect(isCommandAllowed(line, [rule])).toBe(false)
})

test.each([
  ["git push", 'g""it push', "yes"],
  ["git push", "\\git push", "yes"],
  ["git push", "$(echo git) push", "yes"],
  ["git push", "git pu{s,}h", "perhaps"],
  ["git push", "git p*", "perhaps"],
  ["git push", "git $X", "perhaps"],
  ["git push", 'git "$X"', "perhaps"],
  ["git push", 'git -C "$X" log', "perhaps"],
  ["git push", "$X push", "perhaps"],
  ["git push", "`cat x`", "perhaps"],
  ["git push", "/usr/bin/g?t push", "perhaps"],
  ["git push", "sudo $X push", "perhaps"],
  ["git push", "if true; then $X; fi", "perhaps"],
  ["git push", "A=1 g[i]t push", "perhaps"],
  ["rm -rf", "rm $X", "perhaps"],
  ["rm", "echo a | xargs $X", "perhaps"],
  ["rm", "r{m,} x", "perhaps"],
  ["git push", "git pu{l,}l", "perhaps"],
  ["git push", "git log $X", "no"],
  ["git push", "git log x{a,b}", "no"],
  ["git push", "git st{ash,atus}", "no"],
  ["git push", "X=$(date); echo $X", "no"],
  ["git push", "for f in *; do echo $f; done", "no"],
  ["rm", 'for f in *.ts; do cat "$f" > /dev/null; done', "no"],
  ["rm", "ls $X", "no"],
  ["rm -rf", "rm ./$X", "perhaps"],
  ["rm -rf", 'rm "./$X"', "no"],
])("with `%s` denied, `%s` is: %s", (rule, line, denial) => {
  expect(denialOf(line, rule)).toBe(denial)
})

test.each([
  ["npm test", 'every `npm test …` (runs whatever the script "test" in package.json says, with any arguments)'],
  [
    "npm run build -- -w",
    'every `npm run build …` (runs whatever the script "build" in package.json says, with any arguments)',
  ],
  ["pytest -x a.py", "every `pytest …` (runs the code of the tests, whatever it does)"],
  ["cargo test --all", "every `cargo test …` (compiles and runs the code of this folder, whatever it does)"],
  ["mkdir -p a", "every `mkdir …` (makes folders, also outside this folder)"],
  ["sed -n 1,5p a", "every `sed -n …`"],
  ["git commit -m x", "every `git commit …` (runs the hooks of this repository)"],
  ["git push", "every `git push …` (sends commits to other machines, and runs the hooks of this repository)"],
  ["git diff", "every `git diff …` (git runs the filters and other programs that its configuration names)"],
  ["tool --x", "every `tool …` (with any arguments, whatever it does with them)"],
  [
    "npx tsc | tail -3",
    "every `npx tsc …` (runs that program of a package, which may be downloaded for it) and `tail …`",
  ],
])("%s with other arguments, in words: %s", (line, words) => {
  expect(commandGrants(line, "/project").find(({ id }) => id === "like")?.words).toBe(words)
})

test.each([
  ["cd src && npm test", true],
  ["cd /project/src && npm test -- a", true],
  ["cd /project && git status", true],
  ["cd src && git status", false],
  ["cd src && ./run.sh", false],
  ["cd src", false],
  ["cd", false],
  ["cd - && npm test", false],
  ["cd a b && npm test", false],
  ["cd ../other && npm test", false],
  ["cd src/../../other && npm test", false],
  ["cd /elsewhere && npm test", false],
  ["cd $DIR && npm test", false],
  ["cd src && rm x", false],
])("changing into a folder of the workspace needs no rule, and the rest does: %s: %s", (line, allowed) => {
  expect(isCommandAllowed(line, ["npm test *", "git status", "./run.sh *"], "/project")).toBe(allowed)
})

test.each([
  ["sed -n 5p a", true],
  ["sed -n '1,20p' a b", true],
  ["sed -n '/from/,/to/p; $=' a", true],
  ["sed -n -E '/a|b/p' a", true],
  ["sed -n '/a\\/b/,+3p' a", true],
  ["sed -n w\\ OUT a", false],
  ["sed -n '1e touch x' a", false],
  ["sed -n 's/a/b/w OUT' a", false],
  ["sed -n '/a/w OUT' a", false],
  ["sed -n -e p -e 'w OUT' a", false],
  ["sed -n -i p a", false],
  ["sed -n p -i a", false],
  ["sed -n -f script a", false],
  ['sed -n "$X" a', false],
  ["sed -n a*", false],
  ["sed -n '5{p;w OUT' -e '}' a", false],
])("with `sed -n` allowed, a script that only prints is: %s: %s", (line, allowed) => {
  expect(isCommandAllowed(line, ["sed -n"])).toBe(allowed)
})
