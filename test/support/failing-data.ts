import type { OpenedData } from '../../src/app/data/data.ts'
import type { Random } from '../../src/model/index.ts'
import { HeadwaterError } from '../../src/runtime/errors.ts'

export interface Failures {
  /** Whether verbs fail at all. */
  isOn: boolean
  /** How often each verb failed so far, by name. */
  readonly counts: Map<string, number>
}

export interface FailurePlan {
  /** Each verb fails so often first… */
  readonly first: number
  /** …and then with this probability. */
  readonly share: number
  readonly random: Random
}

/** A data folder whose every verb fails now and then before it does anything, as a full or failing disk has it. */
export function failingData(data: OpenedData, plan: FailurePlan): { readonly data: OpenedData; failures: Failures } {
  const failures: Failures = { isOn: false, counts: new Map() }
  const failing = <T extends object>(target: T): T =>
    new Proxy(target, {
      get(inner, name) {
        const verb = Reflect.get(inner, name)
        if (typeof verb !== 'function' || name === 'close') return verb
        return async (...args: unknown[]) => {
          if (failures.isOn && isTurn(String(name))) {
            throw new HeadwaterError('STORE_FAILED', `${String(name)}: injected`)
          }
          return verb.apply(inner, args)
        }
      },
    })
  const isTurn = (verb: string) => {
    const before = failures.counts.get(verb) ?? 0
    const isNow = before < plan.first || plan.random() < plan.share
    if (isNow) failures.counts.set(verb, before + 1)
    return isNow
  }
  return { data: { ...data, store: failing(data.store), buffer: failing(data.buffer) }, failures }
}
