import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    setupFiles: ["test/seed.ts"],
    globalSetup: ["test/samples-unchanged.ts"],
    // Processes, because tests change directories and send signals; as many as there are cores, also on two.
    pool: "forks",
    maxWorkers: "100%",
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
