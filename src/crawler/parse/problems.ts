import type { FeedProblem } from '../../model/index.ts'
import { detach } from '../../text/strings.ts'

/** Every problem that reading a document can report. A code never changes its meaning. */
export const PARSE_PROBLEMS = {
  // The document as a whole
  'not-a-feed': 'The document is none of the known feed formats.',
  empty: 'The document has no content.',
  truncated: 'The document ends in the middle.',
  'too-large': 'The document exceeds the size limit; the rest was not read.',
  'too-deep': 'Elements are nested deeper than the limit; the inner ones were not read.',
  'too-many-items': 'The document has more items than the limit; the rest was not read.',
  'too-broken': 'The document has more broken tags than the limit; the rest was not read.',
  'field-too-long': 'A text exceeds the limit and was cut.',
  'content-type': 'The HTTP Content-Type names a type that is not XML or JSON.',
  // XML
  'text-outside-root': 'There is text before or after the root element.',
  'content-after-root': 'There is more than one root element; only the first was read.',
  'misplaced-xml-declaration': 'The XML declaration is not at the very beginning.',
  'unexpected-root': 'The feed is wrapped in an element that does not belong there.',
  'mismatched-tag': 'An end tag does not match the element that is open.',
  'unclosed-element': 'An element is never closed.',
  'bad-tag': 'A tag is malformed.',
  'bad-attribute': 'An attribute has no quotes, no value, or contains a "<".',
  'duplicate-attribute': 'An element has the same attribute twice; the first counts.',
  'too-many-attributes': 'An element has more attributes than the limit; the rest was ignored.',
  'undeclared-prefix': 'A namespace prefix is used but not declared; its usual meaning is assumed.',
  'bad-namespace': 'A namespace declaration is not allowed by Namespaces in XML 1.0.',
  'bare-ampersand': 'An "&" is not escaped.',
  'bare-less-than': 'A "<" is not escaped.',
  'undefined-entity': 'An entity is used that XML does not know and the document does not declare.',
  'bad-character-reference': 'A numeric character reference names no allowed character.',
  'entity-limit': 'Entities declared in the document expand beyond the limit.',
  'control-character': 'The document has control characters that XML forbids; they were removed.',
  'unclosed-section': 'A comment, CDATA section or declaration is never closed.',
  'bad-comment': 'A comment contains "--".',
  'bad-cdata-end': 'A "]]>" is in text.',
  'bad-processing-instruction': 'A processing instruction is malformed.',
  'bad-doctype': 'The document type declaration is malformed.',
  // Values
  'bad-date': 'A date cannot be read; the item counts as undated.',
  'ambiguous-date':
    'Day and month of a date can be exchanged and nothing shows how; read as its signs are used mostly.',
  'unknown-zone': 'A date names a time zone that is not known; it was read as UTC.',
  'mislabelled-html': 'A text is labelled as plain text but is HTML; it was read as HTML.',
  // Pages without a feed
  'not-html': 'The document is no page: a PDF, a picture or another file.',
  'nothing-selected': 'The selectors of the source find nothing on the page.',
  'bad-selector': 'A selector of the source cannot be read.',
  'costly-selector': 'A selector of the source takes too long on this page.',
  // JSON
  'bad-json': 'The JSON is malformed; what could be read is given.',
  // Characters
  'refused-charset': 'The document is in a charset that is not read; ask its publisher for UTF-8.',
  'double-encoded': 'The document was encoded as UTF-8 twice; it was read as it was before.',
  'unknown-charset': 'The document or the server names a charset that does not exist; another was used.',
  'charset-mismatch': 'The charset that the document or the server names is not the one it is written in.',
  'invalid-bytes': 'Some bytes are not valid in the charset of the document; they were replaced.',
} as const satisfies Record<string, string>

export type ParseProblemCode = keyof typeof PARSE_PROBLEMS

/** Collects problems, the first of each kind: a document that breaks one rule a thousand times has one problem. */
export class ProblemList {
  private readonly byCode = new Map<string, FeedProblem>()

  add(code: ParseProblemCode, offset: number | null = null, detail?: string): void {
    if (this.byCode.has(code)) return
    const message = detail === undefined ? PARSE_PROBLEMS[code] : detach(`${PARSE_PROBLEMS[code]} (${clip(detail)})`)
    this.byCode.set(code, { code, message, offset })
  }

  addAll(problems: readonly FeedProblem[]): void {
    for (const problem of problems) if (!this.byCode.has(problem.code)) this.byCode.set(problem.code, problem)
  }

  list(): readonly FeedProblem[] {
    return [...this.byCode.values()]
  }
}

function clip(detail: string): string {
  return detail.length > 60 ? `${detail.slice(0, 60)}…` : detail
}
