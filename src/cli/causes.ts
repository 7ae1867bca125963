import type { PastDecision } from '../store/scheduling.ts'

export type DecisionCause = PastDecision['cause']

/** Why a refresh was made, in words. */
export const CAUSES: Readonly<Record<DecisionCause, string>> = {
  new: 'new: first look',
  asked: 'asked for',
  full: 'its window was believed full',
  worth: 'what waited was worth the price',
  time: 'its time had come',
  signal: 'a page that shows its items had something new',
  push: 'its hub had told of news',
  learning: 'its turn in learning',
  spare: 'there was budget to spare',
}
