import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{src,lab,bench,bin,test,web}/**/*.test.ts'],
    setupFiles: ['test/setup.ts'],
    testTimeout: 20_000,
    // Two cores are the smallest machine we care for; end-to-end tests start processes of their own.
    maxWorkers: 2,
    reporters: ['default'],
  },
})
