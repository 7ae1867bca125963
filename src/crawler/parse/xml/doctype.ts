import type { ProblemList } from '../problems.ts'
import type { EntityDecoder } from './entities.ts'

// Only general entities with a literal value; parameter and external ones are never followed (XXE).
const ENTITY = /<!ENTITY\s+([^\s%"'<>]{1,64})\s+(?:"([^"]{0,100000})"|'([^']{0,100000})')\s*>/g
const MOST_ENTITIES = 1_000

/**
 * Reads the declaration that begins at `start` (`<!DOCTYPE`) and returns the position after it; -1 when it never ends.
 */
export function readDoctype(text: string, start: number, entities: EntityDecoder, problems: ProblemList): number {
  const gt = text.indexOf('>', start)
  if (gt < 0) return -1
  const bracket = text.indexOf('[', start)
  if (bracket < 0 || bracket > gt) return gt + 1
  const close = endOfSubset(text, bracket + 1)
  if (close < 0) {
    problems.add('bad-doctype', start)
    return gt + 1
  }
  declareEntities(text.slice(bracket + 1, close), entities)
  const end = text.indexOf('>', close)
  return end < 0 ? -1 : end + 1
}

/** The `]` of the internal subset: not one inside quotes or a comment. */
function endOfSubset(text: string, start: number): number {
  let at = start
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code === 93) return at
    if (code === 34 || code === 39) {
      at = text.indexOf(code === 34 ? '"' : "'", at + 1)
      if (at < 0) return -1
    } else if (code === 60 && text.startsWith('<!--', at)) {
      at = text.indexOf('-->', at + 4)
      if (at < 0) return -1
    }
    at++
  }
  return -1
}

function declareEntities(subset: string, entities: EntityDecoder): void {
  let count = 0
  for (const [, name, inQuotes, inApostrophes] of subset.matchAll(ENTITY)) {
    if (++count > MOST_ENTITIES || name === undefined) return
    entities.declare(name, inQuotes ?? inApostrophes ?? '')
  }
}
