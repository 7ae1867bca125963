import { z } from 'zod'
import { parseUrl } from '../../src/runtime/parse-url.ts'

const url = z.string().refine((text) => parseUrl(text) !== null, 'an absolute address')
const text = z.string().min(1)
const author = z
  .strictObject({ name: text.optional(), url: url.optional(), avatar: url.optional() })
  .refine((fields) => Object.keys(fields).length > 0, 'at least one of name, url, avatar')
const date = z.iso.datetime({ offset: true })

/** https://www.jsonfeed.org/version/1.1/ ; strict, but for extensions, whose names start with an underscore. */
const item = z
  .looseObject({
    id: text,
    url: url.optional(),
    external_url: url.optional(),
    title: text.optional(),
    content_html: z.string().optional(),
    content_text: z.string().optional(),
    summary: text.optional(),
    image: url.optional(),
    banner_image: url.optional(),
    date_published: date.optional(),
    date_modified: date.optional(),
    authors: z.array(author).min(1).optional(),
    tags: z.array(text).optional(),
    language: z.string().optional(),
    attachments: z
      .array(
        z.strictObject({
          url,
          mime_type: z.string().regex(/^[^/\s]+\/[^/\s]+$/),
          title: z.string().optional(),
          size_in_bytes: z.number().int().nonnegative().optional(),
          duration_in_seconds: z.number().nonnegative().optional(),
          _headwater: z.strictObject({ width: z.int().optional(), height: z.int().optional() }).optional(),
        }),
      )
      .optional(),
  })
  .refine((fields) => fields.content_html !== undefined || fields.content_text !== undefined, 'content is required')
  .superRefine(onlyExtensions)

const KNOWN = new Set(
  (
    'id url external_url title content_html content_text summary image banner_image date_published date_modified ' +
    'authors tags language attachments'
  ).split(' '),
)

function onlyExtensions(fields: Record<string, unknown>, context: z.RefinementCtx): void {
  for (const name of Object.keys(fields)) {
    if (!KNOWN.has(name) && !name.startsWith('_'))
      context.addIssue({ code: 'custom', message: `unknown field ${name}` })
  }
}

export const jsonFeedSchema = z.strictObject({
  version: z.literal('https://jsonfeed.org/version/1.1'),
  title: text,
  home_page_url: url.optional(),
  feed_url: url.optional(),
  next_url: url.optional(),
  description: z.string().optional(),
  hubs: z
    .array(z.strictObject({ type: text, url }))
    .min(1)
    .optional(),
  _headwater: z.strictObject({ categories: z.array(text).min(1) }).optional(),
  items: z.array(item).refine((items) => new Set(items.map(({ id }) => id)).size === items.length, 'ids are unique'),
})
