import { defineConfig } from "vitest/config"

const LONG = "test/**/*.long.test.ts"

export default defineConfig({
  test: {
    setupFiles: ["test/seed.ts"],
    globalSetup: ["test/samples-unchanged.ts"],
    // Processes, because tests change directories and send signals. More than there are cores, because many tests mostly wait for
    // disks, terminals, browsers and processes of their own.
    pool: "forks",
    maxWorkers: "150%",
    // Guards against hanging, never measures of speed: a slow and busy machine stays far below them. As long as test/within.ts waits.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    projects: [
      // Loading the modules anew for each of hundreds of files would take longer than the tests.
      {
        extends: true,
        test: {
          name: "short",
          include: ["test/**/*.test.ts"],
          exclude: [LONG],
          isolate: false,
          sequence: { groupOrder: 0 },
        },
      },
      { extends: true, test: { name: "long", include: [LONG], sequence: { groupOrder: 1 } } },
    ],
  },
})
