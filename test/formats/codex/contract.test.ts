import { codex } from "../../../src/formats/codex/format.ts"
import { formatContract } from "../contract.ts"
import { lastFile, threadSample } from "./threads.ts"

formatContract(
  codex,
  [
    { ...threadSample("reverted", "ff59ca72fede"), prompts: ["u1 hello", "u2z"] },
    {
      ...threadSample("reverted", "632706d0f450"),
      prompts: [
        "u1 hello",
        "u2 THINK TOOLWRITE TOOLBASH PARALLEL",
        "u3 three",
        "u4b after revert",
        "u5c",
        "u6 in fork",
      ],
    },
    { ...threadSample("sub-agent", "7ea80e73dddd"), prompts: ["u1 hello", "u2 TOOLWRITE SUBAGENT please", "u3 bye"] },
    { ...threadSample("sub-agent", "7be3a2833e42"), prompts: [] },
  ],
  { grows: lastFile, unknownLine: '{"timestamp":"2026-11-16T17:00:00.000Z","type":"of-tomorrow","payload":{}}' },
)
