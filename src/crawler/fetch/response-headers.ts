import type { IncomingHttpHeaders } from 'node:http'
import { field } from '../../http/header-fields.ts'
import { isSendable } from './request-headers.ts'

export interface Validators {
  readonly etag: string | null
  readonly lastModified: string | null
}

/** Only validators that can be sent back are stored. */
export function validators(headers: IncomingHttpHeaders): Validators {
  const etag = field(headers, 'etag')
  const lastModified = field(headers, 'last-modified')
  return {
    etag: etag !== null && isSendable(etag) ? etag : null,
    lastModified: lastModified !== null && isSendable(lastModified) ? lastModified : null,
  }
}
