import { join } from "node:path"
import { geminiCli } from "../../../src/formats/gemini-cli/format.ts"
import { formatContract } from "../contract.ts"

const sample = (...names: string[]) => join(import.meta.dirname, "samples", "chats", ...names)

const ROUNDS = ["u1 hello", "u2 TOOLWRITE SUBAGENT please", "u3 bye"]

formatContract(
  geminiCli,
  [
    { path: sample("three-rounds.jsonl"), prompts: ROUNDS },
    { path: sample("rewound.jsonl"), prompts: ROUNDS.slice(0, 2) },
    {
      path: sample("saved.jsonl"),
      prompts: ["Say something.", "Write and list.", "Do it in another way.", "What comes next?"],
    },
    { path: sample("stub.jsonl"), prompts: [] },
    {
      // With a command of the person, and `/compress`: what it kept is no second prompt.
      path: sample("compressed.jsonl"),
      prompts: [
        "u1 hello",
        "u2 TOOLWRITE please",
        "u3 bye lorem ipsum ",
        "u4 BIGUSAGE next",
        "u5 after compress",
        "u6 end",
      ],
    },
    {
      // Written by us, resumed by Gemini CLI: it puts its context in front, and leaves out what begins with a slash.
      path: sample("continued.jsonl"),
      prompts: [
        '"u1 hello"',
        '"u2 TOOLWRITE please"',
        '"u3 TOOLWRITE PARALLEL THINK please"',
        '"u4 SUBAGENT please"',
        '"u5 bye"',
        "probe prompt",
        "u7 TOOLWRITE PARALLEL THINK please",
        "/compress",
        "u8 after",
      ],
    },
    {
      path: sample("3e91d15a-6798-4c0a-845e-cc8e1befb829", "5c039379-205c-403f-9c7c-e9963ca097a6.jsonl"),
      prompts: [],
    },
  ],
  {
    unknownLine: '{"of-tomorrow":1}',
  },
)
