import { detach } from '../../text/strings.ts'

type Json = Readonly<Record<string, unknown>>

/** Members that JSON Feed 1.1 defines and that are read. */
const STANDARD: ReadonlySet<string> = new Set([
  ...[
    'version',
    'title',
    'home_page_url',
    'feed_url',
    'description',
    'next_url',
    'icon',
    'favicon',
    'language',
    'hubs',
  ],
  ...['authors', 'author', 'items', 'id', 'url', 'external_url', 'content_html', 'content_text', 'summary', 'image'],
  ...[
    'banner_image',
    'date_published',
    'date_modified',
    'tags',
    'attachments',
    'mime_type',
    'size_in_bytes',
    'duration_in_seconds',
    'name',
  ],
])

const STANDARD_BY_LETTERS: ReadonlyMap<string, string> = new Map([...STANDARD].map((name) => [letters(name), name]))

function letters(name: string): string {
  return name.replaceAll('_', '').toLowerCase()
}

// The same names come with every item. A document cannot fill the memory with them.
const MOST_REMEMBERED = 200
const remembered = new Map<string, string | null>()

function standardName(name: string): string | null {
  const known = remembered.get(name)
  if (known !== undefined) return known
  const standard = STANDARD_BY_LETTERS.get(letters(name)) ?? null
  if (remembered.size < MOST_REMEMBERED) remembered.set(detach(name), standard)
  return standard
}

/** `Title`, `content_HTML`, `datePublished`: meant as the standard writes them. Where both are there, the right one counts. */
export function standardNames(json: Json): Json {
  let named: Record<string, unknown> | null = null
  for (const name in json) {
    if (STANDARD.has(name) || name.startsWith('_')) continue
    const standard = standardName(name)
    if (standard === null || Object.hasOwn(json, standard)) continue
    named ??= { ...json }
    named[standard] ??= json[name]
  }
  return named ?? json
}
