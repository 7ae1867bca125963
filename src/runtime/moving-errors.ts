/** Those of what comes from other readers, of rules, and of the doctor. */
export const MOVING_ERRORS = {
  LIST_EXISTS: { summary: 'This list is followed already', hint: 'See `headwater source live list`.' },
  LIST_NOT_FOUND: { summary: 'No list is followed at this address', hint: 'See `headwater source live list`.' },
  RULE_INVALID: { summary: 'The rule cannot be used', hint: 'See docs/rules.md for what rules can say.' },
  RULE_NOT_FOUND: { summary: 'No such rule of yours', hint: 'See `headwater rule list`.' },
  DOCTOR_FAULTS: { summary: 'Something is wrong', hint: 'What to do stands beside each fault.' },
} as const
