import { HeadwaterError } from '../../runtime/errors.ts'

/** A place in a list, as an opaque text. */
export function writeCursor(position: readonly (string | number | null)[]): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url')
}

export function readCursor(text: string, length: number): (string | number | null)[] {
  try {
    const position: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    if (Array.isArray(position) && position.length === length && position.every(isPart)) return position
  } catch {
    // As below.
  }
  throw new HeadwaterError('REQUEST_INVALID', 'cursor: not one of this list')
}

function isPart(part: unknown): part is string | number | null {
  return part === null || typeof part === 'string' || typeof part === 'number'
}
