import type { FastifyRateLimitStore, FastifyRateLimitStoreCtor } from '@fastify/rate-limit'
import type { LogInLimits } from '../../cluster/log-in-limits.ts'

/** Counts where the limits are kept; each operation has a name in its keys. */
export function countingWith(limits: Pick<LogInLimits, 'countRequest'>): FastifyRateLimitStoreCtor {
  return class implements FastifyRateLimitStore {
    incr(...[key, done, windowMs, max]: Parameters<FastifyRateLimitStore['incr']>): void {
      limits.countRequest({ key, max, windowMs }).then(
        ({ count, endsInMs }) => done(null, { current: count, ttl: endsInMs }),
        (error: Error) => done(error),
      )
    }

    child(): FastifyRateLimitStore {
      return this
    }
  }
}
