import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openVault } from './vault.ts'

let folder: string
let keyFile: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'headwater-vault-'))
  keyFile = join(folder, 'headwater.key')
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('a vault', () => {
  it('makes its key when the first secret comes, for nobody else to read', () => {
    const vault = openVault(keyFile)
    expect(vault.open('v1.00000000.AAAA')).toBeNull()
    expect(existsSync(keyFile)).toBe(false)
    const sealed = vault.seal('me:geheim ✓')
    expect(statSync(keyFile).mode & 0o777).toBe(0o600)
    expect(readdirSync(folder)).toEqual(['headwater.key'])
    expect(sealed).not.toContain('geheim')
    expect(openVault(keyFile).open(sealed)).toBe('me:geheim ✓')
  })

  it('seals the same secret in another way each time', () => {
    const vault = openVault(keyFile)
    expect(vault.seal('a')).not.toBe(vault.seal('a'))
  })

  it('opens nothing that was sealed with another key, without a key, or changed', () => {
    const sealed = openVault(keyFile).seal('secret')
    const other = openVault(join(folder, 'other.key'))
    expect(other.open(sealed)).toBeNull()
    const own = other.seal('x')
    expect(other.open(sealed)).toBeNull()
    // Which key sealed a text is in front, so that a person can see which one is missing.
    expect(own.split('.')[1]).not.toBe(sealed.split('.')[1])
    for (const index of [0, 3, 14, 30, sealed.length - 2]) {
      const changed = sealed.slice(0, index) + (sealed[index] === 'A' ? 'B' : 'A') + sealed.slice(index + 1)
      expect([index, openVault(keyFile).open(changed)]).toEqual([index, null])
    }
    for (const text of ['', 'v1', 'v1.x', 'v1.x.', `${sealed.split('.').slice(0, 2).join('.')}.AAAA`])
      expect(openVault(keyFile).open(text)).toBeNull()
  })

  it.each([['base64'], ['hex']] as const)('takes a key of 32 bytes in %s that an operator made', (form) => {
    writeFileSync(keyFile, `${Buffer.alloc(32, 7).toString(form)}\n`)
    const vault = openVault(keyFile)
    expect(vault.open(vault.seal('x'))).toBe('x')
    expect(readFileSync(keyFile, 'utf8')).toBe(`${Buffer.alloc(32, 7).toString(form)}\n`)
  })

  it.each([[''], ['not a key'], [Buffer.alloc(16).toString('base64')]])(
    'never overwrites a key file with %j',
    (text) => {
      writeFileSync(keyFile, text)
      const vault = openVault(keyFile)
      expect(() => vault.seal('x')).toThrow(expect.objectContaining({ code: 'KEY_UNUSABLE' }))
      expect(vault.open('v1.00000000.AAAA')).toBeNull()
      expect(readFileSync(keyFile, 'utf8')).toBe(text)
    },
  )

  it('finds a key that another process made meanwhile', () => {
    const first = openVault(keyFile)
    expect(first.open('x')).toBeNull()
    const sealed = openVault(keyFile).seal('secret')
    expect(first.open(sealed)).toBe('secret')
  })

  it('says so where no key can be made', () => {
    const vault = openVault(join(folder, 'missing', 'headwater.key'))
    expect(() => vault.seal('x')).toThrow(expect.objectContaining({ code: 'KEY_UNUSABLE' }))
    expect(vault.open('x')).toBeNull()
    chmodSync(folder, 0o700)
  })
})
