import { defineConfig } from 'vitest/config'

/** What is too long for every run: `npm run test:long`. */
export default defineConfig({
  test: {
    include: ['{src,lab,bench,bin,test,web}/**/*.long.test.ts'],
    setupFiles: ['test/setup.ts'],
    // Guards against hanging, not limits on time.
    testTimeout: 1_800_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 300_000 } },
    // One after the other: they load the machine themselves.
    maxWorkers: 1,
    reporters: ['default'],
  },
})
