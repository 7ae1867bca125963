import { createHash } from 'node:crypto'
import { entryAt } from '../src/model/entry-at.ts'
import type { Random } from '../src/model/index.ts'
import type { NewItem } from '../src/store/store.ts'

const LETTERS = 'etaoinshrdlucmfwypvbgkjqxz'
const VOCABULARY = 30_000

/** Words by Zipf's law, as in texts: the commonest word makes up a tenth of them, half of the vocabulary is rare. */
export function wordMaker(random: Random): () => string {
  const letter = () => LETTERS[Math.floor(random() ** 2 * LETTERS.length)]
  const vocabulary = Array.from({ length: VOCABULARY }, () =>
    Array.from({ length: 2 + Math.floor(random() * 9) }, letter).join(''),
  )
  return () => entryAt(vocabulary, Math.floor(VOCABULARY ** random()) - 1)
}

/** Items of about 2 KB, the mean of the documents that the parser is measured with; a third has typographic signs. */
export function itemMaker(random: Random): (sourceId: number, index: number) => NewItem {
  const word = wordMaker(random)
  const text = (words: number) => Array.from({ length: words }, word).join(' ')
  return (sourceId, index) => {
    const quote = random() < 0.33 ? '’s “café” – ' : ', '
    const paragraph = () => `<p>${text(28)}${quote}${text(28)} <a href="https://example.org/${index}">${word()}</a></p>`
    const at = 1_700_000_000_000 + index * 60_000 + sourceId
    return {
      key: hash(`${sourceId}/${index}`),
      contentHash: hash(`${sourceId}/${index}/content`),
      id: `https://example.org/${sourceId}/${index}`,
      title: text(8),
      link: `https://example.org/${sourceId}/${index}/${word()}`,
      published: at,
      updated: null,
      authors: [{ name: text(2), email: null, url: null }],
      categories: [word(), word()],
      summary: text(30),
      content: Array.from({ length: 4 }, paragraph).join('\n'),
      enclosures: [],
      language: null,
      commentsUrl: null,
      image: null,
      extensions: null,
      firstSeenAt: at,
      sortAt: at,
    }
  }
}

function hash(text: string): string {
  return createHash('md5').update(text).digest('hex')
}
