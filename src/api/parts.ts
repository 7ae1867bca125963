import { giveWay } from '../runtime/event-loop-turns.ts'

/** What a generator gives, with others in between: answers over fifty thousand sources take a tenth of a second or more. */
export async function collect<T>(parts: Iterable<T>): Promise<T[]> {
  const all: T[] = []
  for (const part of parts) {
    all.push(part)
    const later = giveWay()
    if (later !== undefined) await later
  }
  return all
}

export async function bytesOf(parts: Iterable<string>): Promise<Buffer> {
  const buffers = await collect(encoded(parts))
  const [first] = buffers
  return first !== undefined && buffers.length === 1 ? first : Buffer.concat(buffers)
}

/** Short parts together: a buffer for each would cost more than its text. */
const BUFFER_LENGTH = 16_384

function* encoded(parts: Iterable<string>): Generator<Buffer> {
  let text = ''
  for (const part of parts) {
    text += part
    if (text.length < BUFFER_LENGTH) continue
    yield Buffer.from(text)
    text = ''
  }
  if (text !== '') yield Buffer.from(text)
}
