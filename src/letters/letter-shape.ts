/** How a letter is built, as far as that decides what reading it costs. */
export interface LetterShape {
  readonly headerBytes: number
  readonly multiparts: number
  /** Messages within it. */
  readonly messages: number
  readonly parts: number
}

/** Newsletters have two to thirty parts. */
const MOST: LetterShape = { headerBytes: 256 * 1024, multiparts: 30, messages: 10, parts: 200 }

const NAMES: Readonly<Record<keyof LetterShape, string>> = {
  headerBytes: 'bytes of headers',
  multiparts: 'nested multiparts',
  messages: 'messages within it',
  parts: 'parts',
}

const BOUNDARY = /\bboundary(?:\*\d{0,3}\*?)?[ \t]*=[ \t]*(?:"([^"\r\n]{1,200})"|([^\s;"]{1,200}))/gi
const MESSAGE = /^content-type[ \t]*:\s{0,5}message\/(?:rfc822|global|news)/gim

/** Counted over the bytes, before anything is taken apart: a bomb must not be opened to be known. */
export function letterShapeOf(raw: Buffer): LetterShape {
  const text = raw.toString('latin1')
  const end = /\r?\n\r?\n/.exec(text)?.index ?? text.length
  const boundaries = new Set([...text.matchAll(BOUNDARY)].map(([, quoted, plain]) => quoted ?? plain ?? ''))
  return {
    headerBytes: end,
    multiparts: boundaries.size,
    messages: [...text.matchAll(MESSAGE)].length,
    parts: countParts(text, boundaries),
  }
}

/** Lines that begin a part: each of two hyphens and a boundary, but for those that end with two more. */
function countParts(text: string, boundaries: ReadonlySet<string>): number {
  let parts = 0
  for (let at = text.indexOf('\n--'); at >= 0; at = text.indexOf('\n--', at + 1)) {
    const end = text.indexOf('\n', at + 1)
    // Longer lines are no boundaries (RFC 2046 §5.1.1), and need not be copied.
    if (end >= 0 && end - at > 300) continue
    const line = text.slice(at + 3, end < 0 ? undefined : end).trimEnd()
    if (boundaries.has(line)) parts++
  }
  return parts
}

/** What is too much of it, in words; null: nothing. */
export function shapeProblem(shape: LetterShape): string | null {
  for (const name of Object.keys(NAMES) as (keyof LetterShape)[]) {
    if (shape[name] > MOST[name]) return `${shape[name]} ${NAMES[name]}, more than ${MOST[name]}`
  }
  return null
}
