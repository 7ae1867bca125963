import { expect, it } from 'vitest'
import { parseUrl } from './parse-url.ts'

// Far more often than it takes until the engine optimises a call.
const OFTEN = 50_000

it.each([
  ['https://münchen.example/', undefined, 'https://xn--mnchen-3ya.example/'],
  ['/über?q=é', 'https://example.org/a/', 'https://example.org/%C3%BCber?q=%C3%A9'],
  ['https://日本.example/', undefined, 'https://xn--wgv71a.example/'],
  ['//host', undefined, undefined],
  ['https://', undefined, undefined],
  ['', undefined, undefined],
])('%s after %s is %s, however often it is parsed', (text, base, href) => {
  const answers = new Set<string | undefined>()
  for (let time = 0; time < (href === undefined ? 100 : OFTEN); time++) answers.add(parseUrl(text, base)?.href)
  expect([...answers]).toEqual([href])
})
