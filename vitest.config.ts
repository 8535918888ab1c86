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
    // As long as a page's locators wait: a busy machine may take more than the one second of the default.
    expect: { poll: { timeout: 10_000 } },
  },
})
