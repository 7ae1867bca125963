/** Those of what comes from other readers, and of rules. */
export const MOVING_ERRORS = {
  LIST_EXISTS: { summary: 'This list is followed already', hint: 'See `headwater source live list`.' },
  LIST_NOT_FOUND: { summary: 'No list is followed at this address', hint: 'See `headwater source live list`.' },
} as const
