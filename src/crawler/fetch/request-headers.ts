import * as zlib from 'node:zlib'
import { basicAuthorization, type Credentials } from '../../http/target.ts'
import type { FetchRequest } from './fetcher.ts'

export type HeaderFields = Record<string, string>

const ACCEPT =
  'application/atom+xml, application/rss+xml, application/feed+json, application/rdf+xml;q=0.9, ' +
  'application/xml;q=0.8, text/xml;q=0.8, application/json;q=0.7, text/html;q=0.5, */*;q=0.1'

/** Node has zstd from 22.15 on. */
const ZSTD_AVAILABLE = 'createZstdDecompress' in zlib

const ACCEPT_ENCODING = `gzip, deflate, br${ZSTD_AVAILABLE ? ', zstd' : ''}`

/** They describe the connection or the message (RFC 9110 §7.6.1): the client's affair, not the user's. */
const MESSAGE_FIELDS = new Set([
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** Of the user's own headers only these follow a redirect to another origin: any other may hold a secret. */
const HARMLESS_FIELDS = new Set(['a-im', 'accept', 'accept-encoding', 'accept-language', 'cache-control', 'pragma'])

export interface HeaderSet {
  /** For the origin that the user named. */
  readonly own: HeaderFields
  /** For any other origin: without log-in, cookies and unknown headers of the user. */
  readonly foreign: HeaderFields
}

export function requestHeaders(
  request: FetchRequest,
  urlCredentials: Credentials | null,
  defaultUserAgent: string,
): HeaderSet {
  const foreign: HeaderFields = {
    accept: ACCEPT,
    'accept-encoding': ACCEPT_ENCODING,
    'user-agent': request.userAgent ?? defaultUserAgent,
  }
  if (request.etag !== null && isSendable(request.etag)) {
    foreign['if-none-match'] = request.etag
    // RFC 3229 §10.5.3: who has a version may ask for what is new alone.
    if (request.acceptsDelta === true) foreign['a-im'] = 'feed'
  }
  if (request.lastModified !== null && isSendable(request.lastModified)) {
    foreign['if-modified-since'] = request.lastModified
  }
  const secret: HeaderFields = {}
  const credentials = request.basicAuth ?? urlCredentials
  if (credentials !== null) secret['authorization'] = basicAuthorization(credentials)
  for (const [name, value] of Object.entries(request.headers)) {
    const field = name.toLowerCase()
    if (MESSAGE_FIELDS.has(field)) continue
    if (field === 'user-agent' || HARMLESS_FIELDS.has(field)) foreign[field] = value
    else secret[field] = value
  }
  return { own: { ...foreign, ...secret }, foreign }
}

export function isConditional(headers: HeaderFields): boolean {
  return headers['if-none-match'] !== undefined || headers['if-modified-since'] !== undefined
}

const LONGEST_VALIDATOR = 1_024

/** Whether a validator that a server once gave can be sent back: visible latin-1 (RFC 9110 §8.8.3), not endless. */
export function isSendable(validator: string): boolean {
  return validator.length <= LONGEST_VALIDATOR && /^[\x20-\x7e\x80-\xff]+$/.test(validator)
}
