import { expect, test } from "vitest"
import { simpleCommands } from "../../../src/agent/permission/shell-words.ts"

const words = (line: string) => simpleCommands(line)?.map((command) => command.words.map((word) => word.text).join("|"))

test.each([
  ["git status", ["git|status"]],
  ["  git   status\t-s ", ["git|status|-s"]],
  ["git commit -m 'a b' --author=\"c d\"", ["git|commit|-m|a b|--author=c d"]],
  ["a && b || c; d | e & f\ng", ["a", "b", "c", "d", "e", "f", "g"]],
  ["make 2>&1 | tail -n 5", ["make", "tail|-n|5"]],
  ["make >/dev/null 2> /dev/null; ls &>/dev/null", ["make", "ls"]],
  ["git sta\\tus a\\ b", ["git|status|a b"]],
  ["git \\\n  status", ["git|status"]],
  ["echo \"a;b&&c\" 'd|e' f\\;g # comment; rm", ["echo|a;b&&c|d|e|f;g"]],
  ['echo $HOME "${USER}"', ["echo|$HOME|${USER}"]],
  ["", []],
])("%j is understood", (line, expected) => expect(words(line)).toEqual(expected))

test.each([
  "echo $(rm -rf /)",
  'echo "$(rm -rf /)"',
  "echo `rm`",
  'echo "`rm`"',
  "git status > file",
  "git status >> file",
  "git status >| file",
  "git status &> file",
  "git status >&2file",
  "git status > /dev/nullx",
  "git status >&1\rfile",
  "git status >&1\u00a0file",
  "git status > /dev/null\ffile",
  "cat < file",
  "cat <<EOF\nx\nEOF",
  "diff <(a) <(b)",
  "(git status)",
  "{ git status; }",
  "PATH=. git status",
  "x+=1 git status",
  "if true; then rm; fi",
  "! git status",
  "time git status",
  "echo 'not closed",
  'echo "not closed',
  "echo $'\\x41'",
  "echo ${x:-`rm`}",
  "echo ${x@P}",
  "echo $((1+1))",
  "$cmd status",
  "f() { rm; }",
  "echo \\",
])("%j is not understood, so no rule allows it", (line) => expect(words(line)).toBeUndefined())
