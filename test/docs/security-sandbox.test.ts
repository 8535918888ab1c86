// Each sentence of the lists about the sandbox, programs, keys, the server and exports in docs/security.md has a mark, and each mark a test.
import { readFileSync } from "node:fs"
import { expect, test } from "vitest"

const page = readFileSync("docs/security.md", "utf8")
const own = page.slice(page.indexOf("## The sandbox"))

const SANDBOX = "test/agent/sandbox/sandbox.long.test.ts"
const PROGRAMS = "test/programs/find-program.test.ts"
const KEYS = "test/cli/keys.test.ts"
const EXPORTS = "test/cli/export-redacted.test.ts"
const SECRETS = "test/redact/no-secret-survives.test.ts"
const EXAMPLES = "test/redact/examples.test.ts"

const ACCESS = "test/server/access.test.ts"
const SERVE = "test/server/serve.long.test.ts"

/** A mark: the file of its test, and words of the test's name. */
const TESTS: Readonly<Record<string, readonly (readonly [file: string, words: string])[]>> = {
  found: [
    [SANDBOX, "a command in a sandbox by $by"],
    [SANDBOX, "commands run as they are, with a notice"],
  ],
  reads: [[SANDBOX, "reads what the person can read, and can send it away"]],
  hooks: [[SANDBOX, "can change .git and what other programs run by themselves"]],
  "other-people": [[SANDBOX, "reads other people's private files only with bubblewrap"]],
  "own-commands": [["test/app/sandbox.test.ts", "the person's own commands run outside of it"]],
  servers: [["test/cli/trust.test.ts", "an MCP server runs outside of the sandbox"]],
  "as-you": [["test/agent/tools/bash.long.test.ts", "without a sandbox a command runs as the person"]],
  unasked: [[SANDBOX, "is used by default where commands run without approval"]],
  required: [[SANDBOX, "no command runs when one is required"]],
  writes: [
    [SANDBOX, "writes to the workspace and nowhere else"],
    [SANDBOX, "cannot make the file system writable again"],
  ],
  tmp: [[SANDBOX, "has a /tmp that others do not see, for the whole session, and that is removed with it"]],
  caches: [[SANDBOX, "writes to the folders that are named"]],
  "beside-caches": [[SANDBOX, "writes to caches, and not to what other programs run next to them"]],
  packages: [[SANDBOX, "writes to caches, and not to what other programs run next to them"]],
  sockets: [
    [SANDBOX, "reaches no socket outside, wherever it is and whenever it was opened"],
    [SANDBOX, "sees nothing of running programs in /run"],
  ],
  agents: [[SANDBOX, "has no agent of the person in its environment"]],
  abstract: [[SANDBOX, "with the network, reaches abstract sockets; without it, none"]],
  repository: [[SANDBOX, "commits in a linked worktree"]],
  processes: [
    [SANDBOX, "sees no process but its own"],
    [SANDBOX, "leaves nothing running, not even what has left its process group"],
    ["test/agent/process/guard.long.test.ts", "a killed process takes everything in its sandbox down with it"],
  ],
  machine: [[SANDBOX, "cannot change the machine's settings, get at its disks, or undo what was mounted"]],
  background: [[SANDBOX, "continues in the background until it is ended"]],
  home: [
    [SANDBOX, "sees nothing of retcon's home but the output that was too long"],
    [SANDBOX, "does not see retcon's home when that is in the workspace either"],
  ],
  network: [[SANDBOX, "has the network, or none"]],
  outside: [
    [SANDBOX, "that fails because of it asks to run outside"],
    [SANDBOX, "that wants to run outside needs approval in every mode"],
  ],
  partly: [[SANDBOX, "that continues after the sandbox blocked it ends well, with a note about that"]],
  told: [["test/app/sandbox.test.ts", "if there is none, it is reported before the first command, and in the status"]],
  left: [
    ["test/agent/tools/bash.long.test.ts", "what has left the process group is ended with its call too"],
    ["test/agent/process/guard.long.test.ts", "what has left its process group"],
  ],
  path: [
    [PROGRAMS, "that is relative, or in the workspace, does not count"],
    [PROGRAMS, "Grep starts no ripgrep of the workspace"],
  ],
  mcp: [[PROGRAMS, "an MCP server that is configured by its name is no file of the workspace"]],
  address: [
    [SERVE, "serve listens on this machine only"],
    [SERVE, "another address needs TLS or a proxy in front"],
  ],
  token: [
    [SERVE, "with a token that only its owner can read"],
    [SERVE, "the browser is started without the token"],
    [ACCESS, "without the token, or with a wrong one, nothing is answered"],
  ],
  browsers: [
    ["test/server/browsers.test.ts", "what it signed for another address"],
    ["test/server/browsers.test.ts", "one that has not come for a month is forgotten"],
    ["test/web/token.long.test.ts", "another browser gets nothing, and a forgotten one is asked for the address"],
  ],
  "wrong-tokens": [[ACCESS, "a thousand wrong tokens find nothing"]],
  names: [[ACCESS, "another site's name that leads here is refused"]],
  origins: [
    [ACCESS, "a page of another site is refused"],
    [ACCESS, "a form of another site can send nothing"],
  ],
  policy: [[ACCESS, "every answer tells the browser to load nothing from elsewhere"]],
  traversal: [
    [ACCESS, "no part of an address leads out of where it belongs"],
    ["test/server/page-files.test.ts", "only the files of the page are served"],
  ],
  bodies: [
    [ACCESS, "a body that is too large is refused"],
    [ACCESS, "a body that never comes does not block"],
  ],
  upgrades: [
    [ACCESS, "an upgrade is refused, with the token too"],
    ["test/server/voice.test.ts", "the WebSocket carries audio both ways"],
  ],
  sources: [
    ["test/cli/trust.test.ts", "none is read from a file that others can read"],
    ["test/agent/trust.test.ts", "a trusted workspace configures everything but keys and the approval mode"],
  ],
  debug: [["test/cli/debug.test.ts", "a line of a file that only its owner reads; no key is in it"]],
  parent: [["test/cli/keys.long.test.ts", "the key is not in the environment of its parent"]],
  environment: [[KEYS, "has no key of any provider in its environment, nor what is called like a key"]],
  read: [[KEYS, "stays as it is in what is read and in what is written"]],
  mask: [[KEYS, "the key in use is masked in what is read, and the mask is not written over it"]],
  marks: [
    [EXPORTS, "no text of a transcript keeps a secret, wherever it stands"],
    ["test/cli/tui/export.test.ts", "/export replaces secrets as the command line does"],
    [SECRETS, "the same value has the same mark"],
  ],
  looks: [
    [SECRETS, "what reveals itself is gone, wherever it is"],
    [EXAMPLES, "is no secret: %s"],
    [SECRETS, "text without secrets stays as it is"],
  ],
  values: [
    [EXPORTS, "are known by their values"],
    [EXAMPLES, "a value that may be in a text for another reason is not searched for"],
  ],
  everywhere: [
    [SECRETS, "is gone there, and everywhere else in the same export"],
    [SECRETS, "of a value that was cut somewhere nothing is left, if half of it was there"],
  ],
  "home-path": [[EXAMPLES, "the home folder is ~, and no other folder is"]],
  "env-files": [[EXPORTS, "a .env file that is a pipe, a link or too large is not read, and the output says so"]],
  counts: [
    [EXPORTS, "--no-redact first says what it contains, and never a value"],
    [EXPORTS, "JSON is exact, and says separately if it contains secrets"],
    ["test/cli/doctor-secrets.test.ts", "and never shows a value"],
  ],
  unrecognised: [[EXAMPLES, "what is encoded in another way is not recognised"]],
}

const sentences = own.split(/\n(?=- )|\n\n/).filter((text) => text.startsWith("- "))

test("every sentence has a mark, and every mark a sentence", () => {
  const marks = sentences.map((text) => /\[([a-z-]+)\]\s*$/.exec(text)?.[1] ?? text)
  expect(new Set(marks)).toEqual(new Set(Object.keys(TESTS)))
})

test.each(Object.entries(TESTS))("[%s] is tested", (_, tests) => {
  for (const [file, words] of tests) expect(readFileSync(file, "utf8")).toContain(words)
})
