// Each statement of docs/security.md has a mark, and each mark has a test. What has none only introduces.
import { readFileSync } from "node:fs"
import { expect, test } from "vitest"

const page = readFileSync("docs/security.md", "utf8")
const [, consent = ""] = /^(.*?)(?=^## The sandbox)/ms.exec(page) ?? []

const CORPUS = "test/app/consent-corpus.ts"
const PERMISSION = "test/agent/permission/permission.test.ts"
const TERMINAL = "test/tui/consent.long.test.ts"

/** A mark: the file of its test, and words of the test's name or, in the corpus, of its group or case. */
const TESTS: Readonly<Record<string, readonly (readonly [file: string, words: string])[]>> = {
  plan: [[PERMISSION, "in plan mode what would change or run is refused"]],
  modes: [[PERMISSION, "in the mode %s, %j are asked about"]],
  outside: [[PERMISSION, "paths outside the workspace ask in the mode %s"]],
  whole: [
    [TERMINAL, "a long command keeps its spaces and its end"],
    [TERMINAL, "control characters are seen"],
    ["test/cli/approve.test.ts", "a long command is shown whole"],
  ],
  paged: [
    [TERMINAL, "must be read to its end before y works"],
    ["test/cli/approve.test.ts", "is paged to its end before y is an answer"],
  ],
  link: [[TERMINAL, "a link is asked about with where it leads"]],
  answer: [
    [TERMINAL, "typed under a question allows nothing"],
    [TERMINAL, "pasted text is typed, never an answer"],
    ["test/tui/plain.test.ts", "only a line that is nothing but an answer allows"],
    ["test/cli/input.test.ts", "what was typed before a question does not answer it"],
  ],
  nobody: [
    ["test/cli/approve.test.ts", "without a terminal nobody is asked"],
    ["test/cli/plain-pipe.test.ts", "a line from a pipe allows nothing"],
  ],
  imports: [["test/agent/instructions.test.ts", "a project's file brings in nothing from outside the project"]],
  "prompt-files": [
    ["test/cli/reading.test.ts", "are used once they are trusted, until they change"],
    ["test/agent/prompt-files.test.ts", "a command in it is named instead of run"],
  ],
  "claude-rules": [
    ["test/cli/reading.test.ts", "what Claude Code's settings forbid or ask applies at once"],
    ["test/agent/permission/claude-rules.test.ts", "what must be asked about is asked about in every mode"],
  ],
  trust: [["test/cli/trust.test.ts", "all of it is shown before it is trusted"]],
  grants: [[CORPUS, "exactly this, ones like it, or the tool"]],
  known: [
    [CORPUS, "a w t | $ git log --oneline -5"],
    ["test/agent/permission/judge-command.test.ts", "a script that only prints is"],
    ["test/agent/permission/real-shell.long.test.ts", "writes nothing and runs no other program, in any environment"],
  ],
  like: [
    ["test/agent/permission/judge-command.test.ts", "with other arguments, in words"],
    [TERMINAL, "what allows more than this call is named, and a wide one needs Enter"],
    ["test/web/approving.long.test.ts", "what could be allowed beyond this call is offered with what it means"],
  ],
  runs: [
    [CORPUS, "a t | $ python3 -c 1"],
    [CORPUS, "a t | $ npm test > F"],
  ],
  "hooks-run": [[PERMISSION, "a question says that a command runs hooks"]],
  cd: [["test/agent/permission/judge-command.test.ts", "changing into a folder of the workspace needs no rule"]],
  "look-alikes": [
    ["test/model/text/look-alikes.test.ts", "is marked"],
    [PERMISSION, "which characters only look like others"],
  ],
  revoke: [
    [TERMINAL, "/allow lists what this session allows, and takes it back"],
    ["test/tui/plain.test.ts", "/allow lists and revokes"],
  ],
  session: [
    ["test/app/state.test.ts", "consent"],
    ["test/app/session-consent.test.ts", "a log that says yolo and has rules allows nothing"],
    ["test/app/session-consent.test.ts", "a copy of the whole home allows nothing"],
  ],
  here: [
    ["test/app/session-consent.test.ts", "only its owner can read it"],
    ["test/app/session-consent.test.ts", "a consent file of %j allows nothing"],
    ["test/app/session-consent.test.ts", "what another process allows or revokes holds here at once"],
  ],
  rule: [
    ["test/agent/permission/rule-problems.test.ts", "is a rule"],
    ["test/cli/live-rules.test.ts", "a rule that is added to deny applies from then on"],
  ],
  live: [
    ["test/cli/live-rules.test.ts", "a rule that is added to deny applies from then on"],
    ["test/cli/live-rules.test.ts", "counts at the next start"],
  ],
  exact: [[CORPUS, "allowed | $ rm -rf build"]],
  prefix: [[CORPUS, "a t | $ git log --output=F"]],
  open: [[CORPUS, "allowed | $ cargo test --release"]],
  line: [["test/agent/permission/real-shell.long.test.ts", "runs echo and nothing else"]],
  expanded: [
    [
      "test/agent/permission/judge-command.test.ts",
      "what the shell could make an option or a second file is asked about",
    ],
  ],
  paths: [[CORPUS, "rules for files"]],
  deny: [[PERMISSION, "a deny rule wins over every mode and every allow rule"]],
  commands: [[PERMISSION, "a rule about files does not bind commands"]],
  writers: [[CORPUS, "a tool forbidden for writing is forbidden to all that write"]],
  variants: [[CORPUS, "what is forbidden is so however it is written, in every mode"]],
  perhaps: [[CORPUS, "a | $ git pu{s,}h"]],
  never: [
    ["test/agent/permission/rule-problems.test.ts", "never applies"],
    ["test/agent/permission/rule-problems.test.ts", "does not allow what follows it"],
  ],
  unusable: [["test/cli/broken-config.test.ts", "starts no agent, and says what is wrong in which file"]],
  unknown: [["test/cli/broken-config.test.ts", "a key that nobody reads is told"]],
  "own-home": [[CORPUS, "yolo asks nothing inside, and guards what is retcon's"]],
  guarded: [[CORPUS, "autoEdit changes files, but not what others run by themselves"]],
  "not-guarded": [[CORPUS, "allowed | Write package.json"]],
  tags: [["test/app/inert.test.ts", "cannot pretend to be retcon"]],
}

const sentences = consent.split(/\n(?=- )/).filter((text) => text.startsWith("- "))

test("every sentence has a mark, and every mark a sentence", () => {
  const marks = sentences.map((text) => /\[([a-z-]+)\](?=\s*(?:\n\n|\n?$))/.exec(text)?.[1] ?? text)
  expect(new Set(marks)).toEqual(new Set(Object.keys(TESTS)))
})

test.each(Object.entries(TESTS))("[%s] is tested", (_, tests) => {
  for (const [file, words] of tests) expect(readFileSync(file, "utf8")).toContain(words)
})

/** Introduces what follows, and states nothing that could be otherwise. */
const INTRODUCES = [
  /^# |^## /,
  /^What an agent must ask before it acts, and what retcon protects\. Each statement ends with a mark/,
  /^A rewind takes back what happened in the workspace\. It cannot take back what a command did elsewhere/,
  /^What it does not prevent:$/,
  /^Without a sandbox:$/,
]

test("nothing is stated without a mark", () => {
  const blocks = page.trim().split(/\n\n+/)
  const unmarked = blocks.filter((text) => !text.startsWith("- ") && !INTRODUCES.some((known) => known.test(text)))
  expect(unmarked).toEqual([])
  expect(INTRODUCES.filter((known) => !blocks.some((text) => known.test(text)))).toEqual([])
})
