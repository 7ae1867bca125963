import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { HeadwaterError } from './errors.ts'
import { randomSecret } from './random.ts'

/**
 * Keeps secrets that the node itself must read again, such as the passwords of sources: sealed with a key that is in a
 * file of its own, so that the database and its backups are worth nothing without it.
 */
export interface Vault {
  /** Makes the key if there is none. Throws KEY_UNUSABLE where there cannot be one. */
  seal(text: string): string
  /** null: it was sealed with another key, the key is missing, or somebody changed it. */
  open(sealed: string): string | null
}

export const KEY_FILE = 'headwater.key'

/** AES-256-GCM with 96 random bits for each text (NIST SP 800-38D, 8.2.2: good for 2^32 texts with one key). */
const CIPHER = 'aes-256-gcm'
const KEY_BYTES = 32
const IV_BYTES = 12
const TAG_BYTES = 16
const FORM = 'v1'

/** Nothing is read or written before the first secret is. */
export function openVault(keyFile: string): Vault {
  let known: Buffer | null = null
  // Only a key that was found is remembered: another process may make one meanwhile.
  const find = () => {
    known ??= readKey(keyFile)
    return known
  }
  return {
    seal(text) {
      if (find() === null) makeKey(keyFile)
      const key = find()
      if (key === null) throw new HeadwaterError('KEY_UNUSABLE', keyFile)
      return sealWith(key, text)
    },
    open(sealed) {
      const key = keyOrNull(find)
      return key === null ? null : openWith(key, sealed)
    },
  }
}

function sealWith(key: Buffer, text: string): string {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv(CIPHER, key, iv)
  const name = nameOf(key)
  cipher.setAAD(Buffer.from(`${FORM}.${name}`))
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return `${FORM}.${name}.${Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')}`
}

function openWith(key: Buffer, sealed: string): string | null {
  const [form, name, data] = sealed.split('.')
  if (form !== FORM || name !== nameOf(key) || data === undefined) return null
  const bytes = Buffer.from(data, 'base64url')
  if (bytes.length < IV_BYTES + TAG_BYTES) return null
  try {
    const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
    decipher.setAAD(Buffer.from(`${form}.${name}`))
    decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
    return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8')
  } catch {
    return null
  }
}

function nameOf(key: Buffer): string {
  return createHash('sha256').update('headwater key name').update(key).digest('hex').slice(0, 8)
}

function keyOrNull(find: () => Buffer | null): Buffer | null {
  try {
    return find()
  } catch {
    return null
  }
}

/** null: there is none. */
function readKey(file: string): Buffer | null {
  let text: string
  try {
    text = readFileSync(file, 'utf8').trim()
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw unusable(file, cause)
  }
  const key = Buffer.from(text, /^[0-9a-f]{64}$/i.test(text) ? 'hex' : 'base64')
  if (key.length !== KEY_BYTES) throw new HeadwaterError('KEY_UNUSABLE', `${file} does not hold 32 bytes in base64`)
  return key
}

/** Whole or not at all, and never in the place of another: `link` fails where there is one. */
function makeKey(file: string): void {
  const draft = `${file}.${randomSecret()}`
  try {
    const handle = openSync(draft, 'wx', 0o600)
    try {
      writeSync(handle, `${randomBytes(KEY_BYTES).toString('base64')}\n`)
      fsyncSync(handle)
    } finally {
      closeSync(handle)
    }
    linkSync(draft, file)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw unusable(file, cause)
  } finally {
    rmSync(draft, { force: true })
  }
}

function unusable(file: string, cause: unknown): HeadwaterError {
  return new HeadwaterError('KEY_UNUSABLE', `${file}: ${cause instanceof Error ? cause.message : cause}`, { cause })
}
