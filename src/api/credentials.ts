/**
 * The token of a request: as a Bearer (RFC 6750), as the password of Basic (RFC 7617) with any user name, or in the
 * address for readers that can send nothing else.
 */
export function tokenOf(authorization: string | undefined, inAddress: unknown): string | null {
  const [, scheme, sent] = /^(bearer|basic) +([\w.~+/=-]+) *$/i.exec(authorization ?? '') ?? []
  if (scheme !== undefined && sent !== undefined) return scheme.toLowerCase() === 'bearer' ? sent : passwordOf(sent)
  return typeof inAddress === 'string' && inAddress !== '' ? inAddress : null
}

function passwordOf(encoded: string): string | null {
  const text = Buffer.from(encoded, 'base64').toString()
  const colon = text.indexOf(':')
  if (colon < 0) return null
  return text.slice(colon + 1) || text.slice(0, colon) || null
}
