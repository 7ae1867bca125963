import { Parser } from 'htmlparser2'

/**
 * Whether two HTML texts mean the same: same elements, attributes in any order, same text once references are replaced.
 * `<br>` and `<br />`, `&#39;` and `'` are one.
 */
export function sameHtml(a: string, b: string): boolean {
  return a === b || tokens(a) === tokens(b)
}

function tokens(html: string): string {
  const out: string[] = []
  let text = ''
  const flush = (): void => {
    const plain = text.replace(/\s+/g, ' ').trim()
    if (plain !== '') out.push(JSON.stringify(plain))
    text = ''
  }
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        flush()
        const sorted = Object.entries(attributes).sort(([x], [y]) => (x < y ? -1 : 1))
        out.push(`<${name}${sorted.map(([key, value]) => ` ${key}=${JSON.stringify(value)}`).join('')}>`)
      },
      ontext(value) {
        text += value
      },
      onclosetag(name) {
        flush()
        out.push(`</${name}>`)
      },
    },
    { decodeEntities: true },
  )
  parser.end(html)
  flush()
  return out.join('')
}
