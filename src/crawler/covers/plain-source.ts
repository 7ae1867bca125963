import type { Source } from '../../model/index.ts'

/** Asked for as anybody would: without a log-in, headers, a name or a proxy of its own. */
export function isPlainSource({ headers, basicAuth, userAgent, proxyUrl, isLocked }: Source): boolean {
  const hasHeaders = Object.keys(headers).length > 0
  return !hasHeaders && basicAuth === null && userAgent === null && proxyUrl === null && !isLocked
}
