import type { AddressRule } from '../rule.ts'
import { CODE_RULES } from './code.ts'
import { KNOWLEDGE_RULES } from './knowledge.ts'
import { FEDIVERSE_RULES, SOCIAL_RULES } from './social.ts'
import { PEERTUBE_RULES, VIDEO_RULES } from './video.ts'
import { OWN_HOST_RULES, WRITING_RULES } from './writing.ts'

/** The first that fits is taken: what is said of one site stands before what is said of any. */
export const SITE_RULES: readonly AddressRule[] = [
  ...VIDEO_RULES,
  ...SOCIAL_RULES,
  ...CODE_RULES,
  ...WRITING_RULES,
  ...KNOWLEDGE_RULES,
  ...FEDIVERSE_RULES,
  ...PEERTUBE_RULES,
  ...OWN_HOST_RULES,
]
