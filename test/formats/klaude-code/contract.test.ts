import { join } from "node:path"
import { klaudeCode } from "../../../src/formats/klaude-code/format.ts"
import { formatContract } from "../contract.ts"

const sample = (name: string) => join(import.meta.dirname, "samples", name)

formatContract(
  klaudeCode,
  [
    { path: sample("rewound"), prompts: ["Find the leak", "run the tests"] },
    { path: sample("backtracked"), prompts: ["old wording"] },
    { path: sample("compacted"), prompts: ["first task", "second task", "third task", "fourth task"] },
    // What a sub-agent works on was not typed by a person.
    { path: sample("child"), prompts: [] },
  ],
  { grows: (path) => join(path, "events.jsonl"), unknownLine: '{"type":"OfTomorrow","data":{}}' },
)
