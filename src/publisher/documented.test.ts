import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { present } from '../../test/support/present.ts'
import { NOON } from '../../test/support/published-items.ts'
import { DELIVERY_POLICY } from './channels/delivery.ts'
import { shownSecret, signMessage } from './channels/signature.ts'

const page = readFileSync(join(import.meta.dirname, '../../docs/publishing.md'), 'utf8')

describe('docs/publishing.md', () => {
  it('shows receivers how to verify a message, and it works', async () => {
    const code = present(/^```js\n(.*?)^```$/ms.exec(page)?.[1], 'the code of the page')
    const folder = mkdtempSync(join(tmpdir(), 'headwater-docs-'))
    try {
      const path = join(folder, 'verify.mjs')
      writeFileSync(path, code)
      const { isFromHeadwater } = await import(/* @vite-ignore */ pathToFileURL(path).href)
      const secret = 'any_secret-of a node'
      const headers = signMessage('pub-1', '{"a":1}', secret, NOON)
      const now = NOON / 1_000
      expect(isFromHeadwater(headers, '{"a":1}', shownSecret(secret), now)).toBe(true)
      expect(isFromHeadwater(headers, '{"a":2}', shownSecret(secret), now)).toBe(false)
      expect(isFromHeadwater(headers, '{"a":1}', shownSecret('other'), now)).toBe(false)
      expect(isFromHeadwater(headers, '{"a":1}', shownSecret(secret), now + 301)).toBe(false)
      expect(isFromHeadwater({}, '{"a":1}', shownSecret(secret), now)).toBe(false)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it('states the numbers of the policy', () => {
    const { mostAttempts, mostRefusals, firstPauseMs, longestPauseMs } = DELIVERY_POLICY
    expect(page).toContain(`After ${mostAttempts} attempts`)
    expect(page).toMatch(new RegExp(`5xx of SMTP\\) after ${mostRefusals}\\.`))
    expect({ firstPauseMs, longestPauseMs }).toEqual({ firstPauseMs: 10_000, longestPauseMs: 3_600_000 })
    expect(page).toContain('after 10 seconds, then twice as long each time up to an\nhour')
  })
})
