import { ALL_OPERATIONS } from '../../../src/api/operations/index.ts'
import type { Operation } from '../../../src/api/operations/operation.ts'
import type { MembersScene } from './scene.ts'

const REACH: Readonly<Record<string, readonly string[]>> = {
  'a stranger': [],
  "bob's read token": ['read'],
  "bob's write token": ['read', 'write'],
  "bob's session": ['read', 'write'],
}

/** Every operation by everybody who lacks its right: refused before anything else is checked. */
export async function overstep({ node, strangeKeys, attempt, some }: MembersScene): Promise<void> {
  for (const { words, options } of some(strangeKeys, 4))
    for (const operation of ALL_OPERATIONS.filter((one) => isBeyond(one, REACH[words] ?? []))) {
      const { method, path } = operation
      const body = operation.body === null && operation.rawBody === null ? {} : { body: {} }
      const answer = await node.ask(method, path.replace(/\{\w+\}/g, '1'), { ...options, ...body })
      const isRefused = answer.status === 401 || answer.status === 403
      attempt(!isRefused, `${words} gets as far as ${operation.id}`, answer)
    }
}

function isBeyond({ right }: Operation, rights: readonly string[]): boolean {
  return right !== 'public' && !rights.includes(right)
}
