import { join } from "node:path"
import { claudeCode } from "../../../src/formats/claude-code/format.ts"
import { formatContract } from "../contract.ts"

const sample = (name: string) => join(import.meta.dirname, "samples", name)
const PLAIN = ["u1 first", "u2 second", "u3 third"]

const WORK = [
  'TOOL Write {"file_path":"/home/you/PROJECT/new.txt","content":"one\\n"}',
  'TOOL Bash {"command":"echo hi; echo two >> new.txt","description":"d"}',
  'TOOL Read {"file_path":"/home/you/PROJECT/new.txt"}',
  'TOOL Edit {"file_path":"/home/you/PROJECT/new.txt","old_string":"one","new_string":"ONE"}',
  'TOOL Agent {"description":"sub","prompt":"SUBPROMPT hello","subagent_type":"general-purpose"}',
  `TOOLS [${["p1", "p2"].map((word) => `{"name":"Bash","input":{"command":"echo ${word}","description":"d"}}`).join(",")}]`,
  "after compact",
  "last one",
]
const workIn = (project: string) => WORK.map((prompt) => prompt.replace("PROJECT", project))

const REWOUND = [
  "u1 hello",
  'TOOL Write {"file_path":"/home/you/PROJECT/n.txt","content":"v1"}',
  'TOOL Edit {"file_path":"/home/you/PROJECT/n.txt","old_string":"v1","new_string":"v2"}',
  "u4b replaced",
]
const rewoundIn = (project: string) => REWOUND.map((prompt) => prompt.replace("PROJECT", project))

formatContract(
  claudeCode,
  [
    ...["1.0.128", "2.0.76", "2.1.119", "197", "325"].map((version) => ({
      path: sample(`plain-3turns.v${version}.jsonl`),
      prompts: PLAIN,
    })),
    {
      path: sample("interactive-kinds.v197.jsonl"),
      prompts: [
        "u1 hello",
        "look at @a.txt please",
        "/init",
        'TOOL Bash {"command":"sleep 3; echo z","description":"d"}',
      ],
    },
    { path: sample("interactive-rewind-then-prompt.v197.jsonl"), prompts: rewoundIn("projI197") },
    { path: sample("interactive-rewind-then-prompt.v325.jsonl"), prompts: rewoundIn("projI325") },
    // Its first answer stands before its first prompt.
    { path: sample("interactive-slow-start.v197.jsonl"), prompts: ["Say something.", "Do it in another way."] },
    { path: sample("skill-tool.v197.jsonl"), prompts: ['TOOL Skill {"skill":"simplify"}'] },
    { path: sample("tools-full.v197.jsonl"), prompts: workIn("projT197") },
    { path: sample("tools-full.v325.jsonl"), prompts: workIn("projT325") },
    { path: sample("tools-full.v197/subagents/agent-ad37bbd373c73573b.jsonl"), prompts: [] },
    { path: sample("tools-full.v325/subagents/agent-a91aaa31451051441.jsonl"), prompts: [] },
  ],
  { unknownLine: '{"type":"of-tomorrow","data":1}' },
)
