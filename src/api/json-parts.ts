/** Elements of a long list that become one part: some hundred microseconds of work. */
const ELEMENTS = 500

/**
 * The JSON text of a value, the same as JSON.stringify gives, in parts: lists of fifty thousand sources take a tenth of a
 * second, in which nothing else would be answered. Looks for long lists as deep as answers have them.
 */
export function* jsonParts(value: unknown, depth = 3): Generator<string> {
  if (depth === 0 || !isLong(value, depth)) yield JSON.stringify(value)
  else if (Array.isArray(value)) yield* listParts(value)
  else yield* objectParts(value as object, depth)
}

function isLong(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return false
  if (Array.isArray(value)) return value.length > ELEMENTS
  return depth > 1 && Object.values(value).some((one) => isLong(one, depth - 1))
}

function* listParts(list: readonly unknown[]): Generator<string> {
  for (let at = 0; at < list.length; at += ELEMENTS) {
    const text = JSON.stringify(list.slice(at, at + ELEMENTS))
    yield `${at === 0 ? '[' : ','}${text.slice(1, -1)}`
  }
  yield ']'
}

function* objectParts(value: object, depth: number): Generator<string> {
  let before = '{'
  for (const [name, one] of Object.entries(value)) {
    // As JSON.stringify leaves them out.
    if (one === undefined || typeof one === 'function' || typeof one === 'symbol') continue
    yield `${before}${JSON.stringify(name)}:`
    before = ','
    yield* jsonParts(one, depth - 1)
  }
  yield before === '{' ? '{}' : '}'
}
