import { z } from 'zod'

// Times are milliseconds since 1970 (`…At`), lengths of time milliseconds (`…Ms`): half the size of dates in words, and
// what a program computes with anyway.
export const instant = z.number()
export const instantOrNull = instant.nullable()
export const duration = z.number().nonnegative()
/** Every number, text and list that comes in has both bounds: test/api/bounds.test.ts. */
export const id = z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER)
/** The first and last moments that JavaScript knows. */
export const moment = z.coerce.number().min(-8_640_000_000_000_000).max(8_640_000_000_000_000)
/** A length of time somebody chooses: up to ten years. */
export const chosenMs = z.number().min(1_000).max(315_360_000_000)
/** What something counts against 1 of others. */
export const chosenWeight = (most: number) => z.number().min(0.000_001).max(most)
/** Fields with names that are not known beforehand. */
export const namedFields = <V extends z.ZodType>(longestName: number, value: V, most: number) =>
  z
    .record(z.string().max(longestName), value)
    .refine((values) => Object.keys(values).length <= most, `at most ${most}`)
    .meta({ maxProperties: most })
export const byId = z.object({ id })
export const flag = z.enum(['true', 'false']).transform((text) => text === 'true')

/** Pages of lists: pass `next` of the answer as `cursor` of the next question; null: that was all. */
export const cursor = z.string().max(400)
export const nextCursor = z.string().nullable()
export const limit = (usual: number, most: number) => z.coerce.number().int().min(1).max(most).default(usual)

export const period = z.enum(['hour', 'day', 'week'])
export const status = z.enum(['new', 'active', 'failing', 'retired'])
export const category = z.string().trim().min(1).max(500)
export const feedName = z.string().min(1).max(200)

export const feedUrls = z.object({ rss: z.string(), atom: z.string(), json: z.string() })

/** What a message says beyond its code, to be said in another language. */
export const messageParams = z.record(z.string(), z.union([z.string(), z.number()]))

const word = z.union([z.string(), z.number()])
const phrasePart = z.union([word, z.object({ form: z.string(), params: z.array(word).readonly() })])

/** A sentence and what stands in it, apart, to be said in another language. */
export const phraseParts = z
  .object({ form: z.string(), params: z.array(z.union([phrasePart, z.array(phrasePart).readonly()])).readonly() })
  .describe('A sentence with {1}, {2} … for what stands in it; a list of these is a choice')

/** RFC 9457. */
export const problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string().optional(),
  code: z.string().describe('See docs/errors.md'),
  hint: z.string(),
  params: messageParams.optional().describe('What `detail` says beyond `title`, to be said in another language'),
  phrase: phraseParts.optional().describe('`detail` in parts'),
  errors: z
    .array(
      z.object({
        path: z.string(),
        message: z.string(),
        code: z.string().optional(),
        params: messageParams.optional(),
      }),
    )
    .optional()
    .describe('What is wrong with the input, place by place'),
})
