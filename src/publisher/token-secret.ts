import { createHash } from 'node:crypto'
import type { TokenScope } from '../model/index.ts'
import { tokenHash } from './feed-access.ts'

/**
 * What is stored of a token. Who speaks Fever sends an MD5 of name and password and never the password, so that the hash of that
 * is what can be looked up.
 */
export function tokenSecretHash(scope: TokenScope, userName: string, secret: string): string {
  return tokenHash(scope === 'fever' ? feverKey(userName, secret) : secret)
}

function feverKey(userName: string, secret: string): string {
  return createHash('md5').update(`${userName}:${secret}`).digest('hex')
}
