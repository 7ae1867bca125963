import { expect, it } from 'vitest'
import { codeVersion, liveCodeVersion } from './code-version.ts'
import { NAMED_IDS } from './policies.ts'

it('finds every file that a version is made of', () => {
  const versions = [liveCodeVersion(), ...[...NAMED_IDS, 'foresight'].map(codeVersion)]
  for (const version of versions) expect(version).toMatch(/^[0-9a-f]{12}$/)
  // Our own policy runs through files that others do not.
  expect(codeVersion('foresight')).not.toBe(codeVersion('uniform'))
  expect(liveCodeVersion()).not.toBe(codeVersion('foresight'))
})
