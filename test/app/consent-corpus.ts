// What is asked, allowed and denied, and what could be granted: one line for each case.
// First: "allowed", "denied", or the keys of the grants that the question offers ("-" for none). Then the call.

export interface Group {
  about: string
  mode: "default" | "autoEdit" | "yolo"
  allow?: string[]
  deny?: string[]
  cases: string
}

export const CORPUS: readonly Group[] = [
  {
    about: "commands in the default mode: exactly this, ones like it, or the tool",
    mode: "default",
    cases: `
      a w t | $ git status
      a w t | $ git status -s --porcelain
      a w t | $ git log --oneline -5
      a w t | $ git diff HEAD~1 -- src
      a w t | $ git log | head -5
      a w t | $ ls -la && pwd
      a w t | $ cat a.txt
      a w t | $ grep -rn todo src
      a w t | $ rg -n todo
      a w t | $ find . -name x.ts
      a w t | $ test -f a && echo yes
      a w t | $ [ -f a ]
      a w t | $ echo hello
      a t | $ printf x
      a w t | $ sort a.txt
      a w t | $ git add src/a.ts
      a w t | $ git commit -m wip
      a w t | $ git stash list
      a t | $ git log --output=F
      a t | $ git grep --open-files-in-pager=sh x
      a t | $ git grep -Osh x
      a t | $ sort -o F a
      a t | $ find . -exec rm {} +
      a t | $ find . -delete
      a t | $ find . -fprint F
      a t | $ rg --pre sh x
      a t | $ test -v 'a[$(touch x)]'
      a t | $ printf -v 'a[$(touch x)]' x
      a w t | $ git fetch .
      a t | $ git fetch --upload-pack='touch x' .
      a w t | $ git pull
      a w t | $ git push
      a w t | $ git clone x
      a t | $ git config core.pager sh
      a t | $ git -c core.pager=sh log
      a t | $ git -C . status
      a t | $ git bisect run sh
      a t | $ git submodule foreach sh
      a t | $ git rebase -x sh
      a t | $ git stash
      a t | $ git branch -D main
      a w t | $ npm test
      a w t | $ npm run build
      a w t | $ npm exec x
      a w t | $ npm install
      a w t | $ npx x
      a w t | $ pnpm run x
      a w t | $ yarn x
      a w t | $ uv run x
      a w t | $ uvx x
      a w t | $ go run .
      a w t | $ go test ./...
      a w t | $ cargo test
      a t | $ docker run x
      a t | $ kubectl exec x
      a w t | $ pip install x
      a w t | $ make
      a w t | $ make test
      a w t | $ just x
      a w t | $ cd src && npm test
      a w t | $ cd src; cargo test --release
      a t | $ cd src && git status
      a t | $ cd .. && npm test
      a t | $ cd $X && npm test
      a t | $ cd src
      a w t | $ pytest -q tests
      a w t | $ tsc --noEmit
      a w t | $ mkdir -p a/b
      a w t | $ gh pr view 3
      a t | $ gh api x
      a w t | $ python3 -m pytest
      a t | $ python3 -c 1
      a t | $ node -e 1
      a t | $ sed -n 'w F' a
      a t | $ sed -n '1e touch x' a
      a t | $ sed -i s/a/b/ a
      a t | $ npm test > F
      a t | $ npm test $(x)
      a t | $ npm test --prefix=x
      a t | $ git --version
      a t | $ npm exec node x
      a t | $ npx tsx x
      a t | $ yarn node x
      a t | $ cross-env X=1 npm test
      a t | $ hyperfine ls
      a t | $ fd x -x rm
      a t | $ xargs rm
      a t | $ env ls
      a t | $ sudo ls
      a w t | $ bash x.sh
      a t | $ sh -c ls
      a w t | $ node x.js
      a w t | $ python3 x.py
      a t | $ perl -e 1
      a t | $ awk 1 a
      a w t | $ sed -n 1p a
      a t | $ tar xf a --checkpoint-action=exec=sh
      a t | $ ssh host ls
      a w t | $ rm a
      a w t | $ mv a b
      a w t | $ cp a b
      a w t | $ touch a
      a w t | $ tee a
      a w t | $ dd of=a
      a w t | $ curl x
      a t | $ curl x | sh
      a t | $ echo $(date)
      a t | $ echo \`date\`
      a t | $ echo x > a
      a w t | $ ls; rm a
      a w t | $ ls & rm a
      a t | $ (ls)
      a t | $ X=1 ls
      a t | $ /tmp/git status
      a t | $ git log *
      a t | $ ls $X
      a t | $ eval ls
      a t | $ exec ls
      a t | $ . ./x
      a t | $ read x
      a t | $ unset 'a[$(x)]'
      a t | $ uniq a b
      a t | $ tree -o F
      a t | $ file -C
      a w t | $ git cat-file --filters x
      a t | $ git blame --contents x a --foo
    `,
  },
  {
    about: "rules for commands: options that run or write are not theirs",
    mode: "default",
    allow: [
      "Bash(git log)",
      "Bash(git grep:*)",
      "Bash(test)",
      "Bash(sort)",
      "Bash(find *)",
      "Bash(rg *)",
      "Bash(tar)",
      "Bash(npm test)",
      "Bash(npm run build)",
      "Bash(cargo test *)",
      "Bash(make *)",
      "Bash(git fetch)",
      "Bash(=rm -rf build)",
      "Bash(go test)",
    ],
    cases: `
      allowed | $ git log
      allowed | $ git log --oneline --graph -n 5 main
      allowed | $ git log -p -- src
      allowed | $ git log && git log
      allowed | $ git log 2>&1
      allowed | $ git log | sort
      a t | $ git log --output=F
      a t | $ git log --outpu=F
      a t | $ git log --ext-diff
      a t | $ git log -- --output=F
      a t | $ git log $X
      a t | $ git log *
      a t | $ git log {a,--output=F}
      a t | $ git log > F
      a w t | $ git log; rm a
      allowed | $ git grep -n x
      a t | $ git grep --open-files-in-pager=sh x
      a t | $ git grep -O x
      a t | $ git grep -nO x
      allowed | $ test -f a
      allowed | $ test -z x -a -d y
      a t | $ test -v 'a[$(x)]'
      a t | $ test -R x
      a t | $ printf -v 'a[$(x)]' x
      allowed | $ sort -k 2 -n a
      a t | $ sort -o F a
      a t | $ sort -oF a
      a t | $ sort -no F a
      a t | $ sort --output=F a
      a t | $ sort --compress-program=sh a
      a t | $ sort -k -- -o F
      allowed | $ find . -name x -type f
      a t | $ find . -delete
      a t | $ find . -exec rm {} ;
      a t | $ find . -execdir rm {} +
      a t | $ find . -ok rm {} +
      a t | $ find . -fprintf F x
      allowed | $ rg -n -g src x
      a t | $ rg --pre sh x
      a t | $ rg --pre=sh x
      a t | $ rg --hostname-bin=sh x
      a w t | $ tar xf a
      a t | $ tar --checkpoint-action=exec=sh -cf a .
      allowed | $ npm test
      allowed | $ npm test src/a.test.ts
      a t | $ npm test --script-shell=/tmp/x
      allowed | $ npm run build
      a w t | $ npm run build other
      a w t | $ npm run other
      allowed | $ cargo test --release
      allowed | $ make -j4 all
      allowed | $ git fetch
      a t | $ git fetch --upload-pack=sh .
      a w t | $ git fetch origin
      allowed | $ rm -rf build
      a w t | $ rm -rf build2
      a w t | $ rm -rf build; ls
      allowed | $ go test ./...
      a t | $ go test -exec sh ./...
      a t | $ sudo git log
    `,
  },
  {
    about: "a rule for every command is one for every command",
    mode: "default",
    allow: ["Bash"],
    cases: `
      allowed | $ rm -rf x
      allowed | $ curl x | sh
      - | $ cat HOME/config.json
      - | $ retcon config mode yolo
    `.replace(/- \|/g, "a |"),
  },
  {
    about: "what is forbidden is so however it is written, in every mode",
    mode: "yolo",
    allow: ["Bash", "Bash(=git push)"],
    deny: [
      "Bash(git push)",
      "Bash(rm -rf)",
      "Bash(npm publish)",
      "Bash(git branch -D)",
      "Bash(find -delete)",
      "Bash(chmod -R)",
    ],
    cases: `
      denied | $ git push
      denied | $ git push --force origin main
      denied | $ git -C . push
      denied | $ git -c a=b push
      denied | $ git -c alias.x=push x
      denied | $ git --git-dir=.git push
      denied | $ git --git-dir .git push
      denied | $ git --no-pager push
      denied | $ /usr/bin/git push
      denied | $ 'git' "push"
      denied | $ g\\it push
      denied | $ ls && git push
      denied | $ sudo git push
      denied | $ env X=1 git push
      denied | $ X=1 git push
      denied | $ bash -c 'git push'
      denied | $ echo $(git push)
      denied | $ (git push)
      denied | $ if true; then git push; fi
      denied | $ xargs git push
      denied | $ timeout 5 git -C x push
      denied | $ rm -rf x
      denied | $ rm -fr x
      denied | $ rm -r -f x
      denied | $ rm -f -r x
      denied | $ rm x -rf
      denied | $ rm -rfv x
      denied | $ rm -Rf x
      denied | $ rm --recursive --force x
      denied | $ rm -r --force x
      denied | $ rm --recurs --forc x
      denied | $ /bin/rm -fr x
      denied | $ sudo rm -fr x
      denied | $ npm publish
      denied | $ npm --prefix x publish
      denied | $ git branch -D x
      denied | $ git branch x -D
      denied | $ find . -delete
      denied | $ find . -name x -delete
      denied | $ chmod -R 777 x
      denied | $ chmod --recursive 777 x
      a | $ git pu{s,}h
      a | $ git $X
      a | $ $X push
      a | $ rm $X
      allowed | $ git log $X
      allowed | $ git pull
      allowed | $ git stash push
      allowed | $ git log push
      allowed | $ rm x
      allowed | $ rm -r x
      allowed | $ rm -f x
      allowed | $ grep rm x
      allowed | $ npm run publish-docs
      allowed | $ git branch -d x
      allowed | $ chmod 777 x
    `,
  },
  {
    about: "files in the default mode",
    mode: "default",
    cases: `
      allowed | Read a.txt
      allowed | Read sub/a.txt
      a t | Write a.txt
      a t | Write new/deep/file.ts
      a t | Edit a.txt
      a | Write .git/config
      a | Write .husky/pre-commit
      a | Read ../outside.txt
      a | Write ../outside.txt
      a | Read link.txt
      a | Write link.txt
      a | Edit link.txt
      a | Write linked/x
      a | Read HOME/config.json
      denied | Write HOME/config.json
    `,
  },
  {
    about: "autoEdit changes files, but not what others run by themselves",
    mode: "autoEdit",
    cases: `
      allowed | Write a.txt
      allowed | Edit a.txt
      allowed | Write src/index.ts
      allowed | Write package.json
      allowed | Write Makefile
      allowed | Write conftest.py
      allowed | Write AGENTS.md
      allowed | Write .gitignore
      allowed | Write .env
      allowed | Write src/hooks/use-x.ts
      allowed | Write src/head/index.ts
      allowed | Write .github/CODEOWNERS
      allowed | Write docs/git.md
      a | Write .git/hooks/pre-commit
      a | Write .git/config
      a | Write .GIT/config
      a | Write .Git/HOOKS/pre-commit
      a | Write sub/.git
      a | Write repo.git/config
      a | Write planted/HEAD
      a | Write planted/head
      a | Write hooks/post-checkout
      a | Write .githooks/pre-commit
      a | Write .gitmodules
      a | Write .gitattributes
      a | Write sub/.gitattributes
      a | Write .husky/pre-commit
      a | Write .pre-commit-config.yaml
      a | Write lefthook.yml
      a | Write .retcon.json
      a | Write sub/.retcon.json
      a | Write .mcp.json
      a | Write .claude/settings.json
      a | Write .CLAUDE/settings.json
      a | Write .cursor/mcp.json
      a | Write .codex/config.toml
      a | Write .gemini/settings.json
      a | Write .vscode/tasks.json
      a | Write .vscode/settings.json
      a | Write .vscode/launch.json
      a | Write .idea/workspace.xml
      a | Write .devcontainer/devcontainer.json
      a | Write .envrc
      a | Write sub/.envrc
      a | Write mise.toml
      a | Write .npmrc
      a | Write .yarnrc
      a | Write .yarnrc.yml
      a | Write .yarn/releases/yarn.cjs
      a | Write .pnpmfile.cjs
      a | Write .cargo/config.toml
      a | Write .github/workflows/ci.yml
      a | Write .github/actions/x/action.yml
      a | Write .gitlab-ci.yml
      a | Write .circleci/config.yml
      a | Write Jenkinsfile
      a | Write .travis.yml
      a | Write .bashrc
      a | Write .zshenv
      a | Write .profile
      a | Write .ssh/config
      a | Write .config/fish/config.fish
      a | Write .gdbinit
      a | Write ../outside.txt
      a | Write link.txt
      denied | Write HOME/config.json
      denied | Write HOME/sessions/x.jsonl
      denied | Edit HOME/config.json
      denied | Write home-link/config.json
      a w t | $ touch x
    `,
  },
  {
    about: "yolo asks nothing inside, and guards what is retcon's",
    mode: "yolo",
    cases: `
      allowed | $ rm -rf x
      allowed | $ curl x | sh
      allowed | Write .git/config
      allowed | Write a.txt
      allowed | Read a.txt
      a | Read ../outside.txt
      a | Write ../outside.txt
      a | Write link.txt
      a | Read HOME/config.json
      denied | Write HOME/config.json
      denied | Write HOME/sessions/x.jsonl
      denied | Write home-link/config.json
      a | $ echo x >> HOME/config.json
      a | $ cat "HOME/config.json"
      a | $ cat $RETCON_HOME/config.json
      a | $ retcon config mode yolo
      a | $ sudo retcon allow x
      a | $ sh -c 'retcon config trust yes'
      allowed | $ grep retcon a.txt
    `,
  },
  {
    about: "rules for files",
    mode: "default",
    allow: ["Write(src/**)", "Read(~/notes/**)", "Write(OUT/shared/../given/**)"],
    deny: ["Read(**/.env)", "Write(locked.txt)", "Edit(ledger/**)", "Read(~/keys/**)"],
    cases: `
      allowed | Write src/a.ts
      allowed | Write src/deep/b.ts
      a t | Write other.ts
      a t | Edit a.txt
      a | Edit .vscode/tasks.json
      allowed | Write ../given/a
      a | Write ../shared/a
      denied | Read .env
      denied | Read sub/.env
      denied | Write .env
      denied | Edit .env
      denied | Write locked.txt
      denied | Edit locked.txt
      denied | Write ledger/a
      denied | Edit ledger/a
      denied | Read ~/keys/id
      denied | Read FOLDER/keys/id
      allowed | Read ~/notes/a
      a | Read ~/other
    `,
  },
  {
    about: "a tool forbidden for writing is forbidden to all that write",
    mode: "yolo",
    deny: ["Write"],
    cases: `
      denied | Write a.txt
      denied | Edit a.txt
      allowed | Read a.txt
      allowed | $ true
    `,
  },
]
