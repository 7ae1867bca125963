import { createHash } from 'node:crypto'
import type { SourceIcon } from '../model/index.ts'
import { pictureType } from '../publisher/images/picture-type.ts'
import { bestOfIco } from './best-of-ico.ts'
import { pictureSize } from './picture-size.ts'

/** What is fetched at most: icon files with all their sizes are this large, photographs are larger. */
export const MOST_FETCHED_BYTES = 512 * 1024
/** What is stored: a list of two thousand sources is sent with all its icons by Fever. */
const MOST_BYTES = 64 * 1024
/** A few bytes can say that they are a picture of a billion dots. */
const MOST_PX = 1_024

/**
 * The icon in these bytes, whatever a server calls them; null: none that may be shown. Drawings (SVG) are none: they are documents that can
 * hold scripts and load others. Nor is what says nothing of its size.
 */
export function readIcon(bytes: Uint8Array): Omit<SourceIcon, 'sourceId'> | null {
  const type = pictureType(bytes)
  if (type === null) return null
  const given = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const body = type === 'image/x-icon' ? bestOfIco(given) : isSmall(type, given) ? given : null
  if (body === null || body.length > MOST_BYTES) return null
  const hash = createHash('sha256').update(body).digest('base64url').slice(0, 22)
  return { type, hash, body }
}

function isSmall(type: string, bytes: Buffer): boolean {
  const size = pictureSize(type, bytes)
  if (size === null) return false
  const { width, height } = size
  return width > 0 && height > 0 && width <= MOST_PX && height <= MOST_PX
}
