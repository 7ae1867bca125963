import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { PARSE_PROBLEMS } from '../src/crawler/parse/problems.ts'
import { ERRORS } from '../src/runtime/errors.ts'

const documentedCodes = (heading: string) => {
  const page = readFileSync(join(import.meta.dirname, '../docs/errors.md'), 'utf8')
  const section = page.split(/^## /m).find((part) => part.startsWith(heading)) ?? ''
  return [...section.matchAll(/^\| `([^`]+)` \| (.+?) \|/gm)].map(([, code, text]) => [code, text])
}

describe('docs/errors.md', () => {
  it('explains every error code, and none that does not exist', () => {
    expect(
      documentedCodes('Error codes')
        .map(([code]) => code)
        .sort(),
    ).toEqual(Object.keys(ERRORS).sort())
  })

  it('says of each what the program says', () => {
    for (const [code, text] of documentedCodes('Error codes'))
      expect(text).toBe(ERRORS[code as keyof typeof ERRORS].summary)
  })

  it('explains every problem of a document, and none that does not exist', () => {
    expect(
      documentedCodes('Problems of documents')
        .map(([code]) => code)
        .sort(),
    ).toEqual(Object.keys(PARSE_PROBLEMS).sort())
  })
})
