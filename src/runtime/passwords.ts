import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'

// OWASP's password storage cheat sheet: N = 2^15, r = 8, p = 3 is one of the equally strong settings; 32 MiB each time.
const COST = 2 ** 15
const BLOCK = 8
const PARALLEL = 3
const MAX_BYTES = 64 * 1024 ** 2
const KEY_BYTES = 32

/** `scrypt$N$r$p$salt$key`: another cost can be chosen later without losing the old passwords. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const key = await derive(password, salt, { N: COST, r: BLOCK, p: PARALLEL })
  return ['scrypt', COST, BLOCK, PARALLEL, salt.toString('base64url'), key.toString('base64url')].join('$')
}

/** Takes as long without a hash as with one, so that nobody learns which names there are. */
export async function isPassword(password: string, hash: string | null): Promise<boolean> {
  const [kind, cost, block, parallel, salt = '', key = ''] = (hash ?? NOBODY).split('$')
  if (kind !== 'scrypt') return false
  const expected = Buffer.from(key, 'base64url')
  const options = { N: Number(cost), r: Number(block), p: Number(parallel) }
  const derived = await derive(password, Buffer.from(salt, 'base64url'), options)
  return hash !== null && derived.length === expected.length && timingSafeEqual(derived, expected)
}

const NOBODY = ['scrypt', COST, BLOCK, PARALLEL, 'AAAAAAAAAAAAAAAAAAAAAA', ''].join('$')

function derive(password: string, salt: Buffer, options: ScryptOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, KEY_BYTES, { ...options, maxmem: MAX_BYTES }, (error, key) => {
      if (error === null) resolve(key)
      else reject(error)
    })
  })
}
