import { expect, it } from 'vitest'
import { hashPassword, isPassword } from './passwords.ts'

it('knows a password again, and no other', async () => {
  const hash = await hashPassword('correct horse é')
  expect(hash).not.toContain('horse')
  expect(await isPassword('correct horse é', hash)).toBe(true)
  expect(await isPassword('correct horse e\u0301', hash)).toBe(true)
  expect(await isPassword('correct horse', hash)).toBe(false)
  expect(await isPassword('', null)).toBe(false)
  expect(await isPassword('x', 'plain$x')).toBe(false)
  expect(await hashPassword('correct horse é')).not.toBe(hash)
})
