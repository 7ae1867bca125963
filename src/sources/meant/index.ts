export { readAnswer } from './answer.ts'
export { type Meaning, meaningOf, meaningOfAddress } from './meaning.ts'
export { checkOwnRule, type OwnRule } from './own-rule.ts'
export type { CompiledRule } from './rule.ts'
