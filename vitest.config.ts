import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Tests of processes, servers and browsers first: they wait most of the time, and the tests beside the code compute meanwhile. By size,
 * as Vitest sorts what it has not run yet, the attacks came last, and two cores waited for them.
 */
class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const order = ['/test/attack/', '/test/'].map((folder) => `${import.meta.dirname}${folder}`)
    const rank = ({ moduleId }: TestSpecification) => {
      const first = order.findIndex((folder) => moduleId.startsWith(folder))
      return first < 0 ? order.length : first
    }
    return sorted.sort((a, b) => rank(a) - rank(b))
  }
}

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
    maxConcurrency: 3,
    sequence: { sequencer: WaitingFirst },
    isolate: false,
    reporters: ['default'],
  },
})
