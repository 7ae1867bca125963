/** The same page under https, another campaign tag or another order of nothing else: scheme and utm_* do not count. */
export function canonicalLink(link: string): string {
  // The usual spelling needs no expression.
  const withoutScheme = link.startsWith('https://') ? link.slice(6) : link.replace(/^https?:\/\//i, '//')
  if (!withoutScheme.includes('utm_')) return withoutScheme
  const [beforeFragment, fragment] = splitOnce(withoutScheme, '#')
  const [path, query] = splitOnce(beforeFragment, '?')
  const parts = (query ?? '').split('&').filter((part) => part !== '' && !part.startsWith('utm_'))
  return path + (parts.length > 0 ? `?${parts.join('&')}` : '') + (fragment === undefined ? '' : `#${fragment}`)
}

function splitOnce(text: string, mark: string): [string, string | undefined] {
  const at = text.indexOf(mark)
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)]
}
