import { defineConfig } from "tsdown"

export default defineConfig({
  entry: { index: "src/index.ts", "store-contract": "src/store/contract.ts", cli: "src/cli/main.ts" },
  format: "esm",
  platform: "node",
  target: "node20",
  fixedExtension: false,
  dts: { entry: ["src/index.ts", "src/store/contract.ts"] },
  // A tool's description is a .md file beside its code; toolText() reads it from beside the bundle.
  copy: ["src/agent/tools/*.md"],
  clean: true,
  report: false,
})
