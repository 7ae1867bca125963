import { configDefaults, defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{src,lab,bench,bin,test,web}/**/*.test.ts'],
    exclude: [...configDefaults.exclude, '**/*.long.test.ts'],
    setupFiles: ['test/setup.ts'],
    // Guards against hanging, not limits on time: a busy machine must not matter.
    testTimeout: 1_800_000,
    hookTimeout: 1_800_000,
    expect: { poll: { timeout: 300_000 } },
    // Two cores are the smallest machine we care for; many tests wait for processes, servers and browsers of their own.
    maxWorkers: 3,
    isolate: false,
    reporters: ['default'],
  },
})
