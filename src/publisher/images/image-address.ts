import { createHmac, timingSafeEqual } from 'node:crypto'
import { parseUrl } from '../../runtime/parse-url.ts'

/** The address at which a picture of another site is shown; null: it cannot be shown there. */
export type ImageAddress = (url: string) => string | null

const IMAGE_PATH = '/images'

/** Twice as long, encoded, the address is still a path that servers and proxies take. */
const LONGEST_ADDRESS = 4_000
/** 144 bits: nobody finds another address for a signature, nor one by trying. */
const SIGNATURE_BYTES = 18

/** Addresses of this node for pictures of other sites, which it alone can make: `…/images/<signature>/<address>`. */
export function signedImages(key: string, baseUrl: string): ImageAddress {
  return (url) => {
    const isOfWeb = /^https?:\/\//i.test(url) && url.length <= LONGEST_ADDRESS
    const href = isOfWeb ? parseUrl(url)?.href : undefined
    return href === undefined || href.length > LONGEST_ADDRESS
      ? null
      : `${baseUrl}${IMAGE_PATH}/${signatureOf(key, href)}/${encode(href)}`
  }
}

/** The picture's own address; null: this node has not signed it. */
export function openSignedImage(key: string, signature: string, encoded: string): string | null {
  const url = Buffer.from(encoded, 'base64url').toString('utf8')
  // One address has one writing, so that nobody fills caches with others.
  if (url.length > LONGEST_ADDRESS || encode(url) !== encoded) return null
  const expected = Buffer.from(signatureOf(key, url))
  const given = Buffer.from(signature)
  return given.length === expected.length && timingSafeEqual(given, expected) ? url : null
}

function encode(url: string): string {
  return Buffer.from(url).toString('base64url')
}

function signatureOf(key: string, url: string): string {
  const bytes = createHmac('sha256', key).update('headwater image\n').update(url).digest()
  return bytes.subarray(0, SIGNATURE_BYTES).toString('base64url')
}
