import { z } from 'zod'

/** Which share of a source's items a query feed keeps, with Wilson's 95 % interval; one of a point where its form says it. */
export const matchShare = z.object({
  share: z.number(),
  atLeast: z.number(),
  atMost: z.number(),
  isByForm: z.boolean(),
})
