/** What politeness and Retry-After are about: host name and port, lower case, without credentials. */
export function hostKey(url: URL | string): string {
  // Nothing is ever sent to what is no URL; any key will do that no host has.
  if (typeof url === 'string' && !URL.canParse(url)) return ''
  const { hostname, port, protocol } = typeof url === 'string' ? new URL(url) : url
  // The parser lower-cases names; a final dot names the same host.
  return `${hostname.replace(/\.$/, '')}:${port || (protocol === 'https:' ? '443' : '80')}`
}
