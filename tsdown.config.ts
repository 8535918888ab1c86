import { defineConfig } from "tsdown"

export default defineConfig({
  entry: { index: "src/index.ts", "store-contract": "src/store/contract.ts", cli: "src/cli/main.ts" },
  format: "esm",
  platform: "node",
  target: "node20",
  fixedExtension: false,
  dts: { entry: ["src/index.ts", "src/store/contract.ts"] },
  clean: true,
  report: false,
})
