/** What politeness and Retry-After are about: host name and port, lower case, without credentials. */
export function hostKey(url: URL | string): string {
  const { hostname, port, protocol } = typeof url === 'string' ? new URL(url) : url
  // The URL parser lower-cases names; a final dot names the same host.
  return `${hostname.replace(/\.$/, '')}:${port || (protocol === 'https:' ? '443' : '80')}`
}
