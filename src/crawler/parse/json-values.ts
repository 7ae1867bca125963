const QUOTE = 34
const COMMA = 44
const COLON = 58
const BRACKET = 91
const BACKSLASH = 92
const BRACE = 123

/** Whether a JSON document has more values than this, by its signs: it is read before anything is made of it. */
export function hasMoreValues(text: string, most: number): boolean {
  // The shortest value with its sign has two characters.
  if (text.length <= 2 * most) return false
  let values = 1
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = endOfString(text, at)
    else if (code === COMMA || code === COLON || code === BRACKET || code === BRACE) {
      if (++values > most) return true
    }
  }
  return false
}

function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let slashes = 0
    while (text.charCodeAt(quote - 1 - slashes) === BACKSLASH) slashes++
    if (slashes % 2 === 0) return quote
  }
  return text.length
}
