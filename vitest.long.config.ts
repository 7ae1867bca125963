import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { testFiles } from './scripts/test-files.mjs'

const FOLDERS = ['src', 'lab', 'bench', 'bin', 'test', 'web']
/** Tests of every run that do more of the same in a long one. */
const MORE_OF_THE_SAME = testFiles(import.meta.dirname, FOLDERS).filter((path) =>
  readFileSync(join(import.meta.dirname, path), 'utf8').includes('support/extent.ts'),
)

/** What is too long for every run: `npm run test:long`. */
export default defineConfig({
  test: {
    include: ['{src,lab,bench,bin,test,web}/**/*.long.test.ts', ...MORE_OF_THE_SAME],
    env: { HEADWATER_TESTS: 'long' },
    setupFiles: ['test/setup.ts'],
    // Guards against hanging, not limits on time.
    testTimeout: 1_800_000,
    hookTimeout: 1_800_000,
    expect: { poll: { timeout: 300_000 } },
    // One after the other: they load the machine themselves.
    maxWorkers: 1,
    reporters: ['default'],
  },
})
