import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..')

/** `npm run test:nodes -- …`, without the build before it. */
function testNodes(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/test-nodes.mjs', ...args], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  return { code: status, out: stdout, err: stderr }
}

describe('npm run test:nodes', () => {
  it('takes unit, contract and integration tests, and none that need a browser or take long', () => {
    const files = testNodes('--list').out.trim().split('\n')
    for (const file of [
      'src/runtime/work-queue.test.ts',
      'test/contract/stores.test.ts',
      'test/integration/hints.test.ts',
    ]) {
      expect(files).toContain(file)
    }
    expect(files.filter((file) => /^test\/(browser|e2e|attack)\/|\.long\./.test(file))).toEqual([])
  })

  it('takes those that have one of some words in their path', () => {
    expect(testNodes('--list', 'runtime/work-queue', 'contract/stores.').out.trim().split('\n')).toEqual([
      'src/runtime/work-queue.test.ts',
      'test/contract/stores.test.ts',
    ])
  })

  it.each([
    [['--nodes', '20,new'], '"new"'],
    [['--nodes', ''], '""'],
    [['no-such-test'], 'no-such-test'],
    [['--wrong'], '--wrong'],
  ])('refuses %s', (args, message) => {
    const { code, err } = testNodes(...args)
    expect(code).toBe(2)
    expect(err).toContain(message)
  })

  it('tests by default what the workflow tests', () => {
    const workflow = readFileSync(join(ROOT, '.github/workflows/ci.yml'), 'utf8')
    const versions = /node: \[(.+)\]/.exec(workflow)![1]!.replaceAll(' ', '')
    expect(readFileSync(join(ROOT, 'scripts/test-nodes.mjs'), 'utf8')).toContain(`const VERSIONS = '${versions}'`)
    expect(workflow).toContain('run: bash .ci/run')
  })
})
