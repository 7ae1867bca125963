import { z } from 'zod'
import { MINUTE_MS, WEEK_MS } from '../../model/index.ts'
import { instant } from './shared.ts'

/** A wished quality; what is null is not wished for. */
export const chosenWish = z
  .strictObject({
    completeness: z.number().gt(0).lt(1).nullable(),
    meanDelayMs: z.number().min(MINUTE_MS).max(WEEK_MS).nullable(),
  })
  .refine(({ completeness, meanDelayMs }) => completeness !== null || meanDelayMs !== null, 'wish for something')
  .describe('Share of the items that is fetched, and time from publication to refresh on average')

/** With what it takes of the budget; null: not found yet. */
export const shownWish = z.object({
  completeness: z.number().nullable(),
  meanDelayMs: z.number().nullable(),
  standing: z
    .object({
      /** The least that is believed to give it; null: no budget does, or nothing is known yet. */
      neededPerDay: z.number().nullable(),
      givenPerDay: z.number(),
      /** Requests a day that the budget lacks. */
      lackingPerDay: z.number(),
      at: instant,
    })
    .nullable(),
})
