/** `gzip;q=0.5, *;q=0` → Map { gzip → 0.5, * → 0 }, names in lower case (RFC 9110 §12.4.2). */
function weights(header: string): ReadonlyMap<string, number> {
  const found = new Map<string, number>()
  for (const part of header.split(',')) {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase())
    if (name === '') continue
    const q = parameters.find((parameter) => parameter.startsWith('q='))
    const weight = q === undefined ? 1 : Number(q.slice(2))
    found.set(name, weight >= 0 && weight <= 1 ? weight : 0)
  }
  return found
}

/** §12.5.3. A client that forbids both still gets the plain form: an answer is more use to it than a 406. */
export function pickEncoding(acceptEncoding: string | undefined): 'gzip' | 'identity' {
  if (acceptEncoding === undefined) return 'identity'
  const accepted = weights(acceptEncoding)
  const any = accepted.get('*')
  const gzip = accepted.get('gzip') ?? accepted.get('x-gzip') ?? any ?? 0
  const identity = accepted.get('identity') ?? any ?? Number.MIN_VALUE
  return gzip > 0 && gzip >= identity ? 'gzip' : 'identity'
}

/** Whether JSON is wanted rather than a page. */
export function prefersJson(accept: string | undefined): boolean {
  if (accept === undefined) return false
  const accepted = weights(accept)
  const json = accepted.get('application/json') ?? 0
  return json > 0 && json >= (accepted.get('text/html') ?? 0)
}

/** `de-AT, en;q=0.5` → ['de', 'en'], the most wanted first, without regions (§12.5.4). */
export function languagesOf(acceptLanguage: string | undefined): readonly string[] {
  const wanted = [...weights(acceptLanguage ?? '')].filter(([, weight]) => weight > 0)
  return wanted.sort(([, a], [, b]) => b - a).map(([language]) => language.split('-')[0] ?? language)
}
