import type { SourceRefresh } from '../../crawler/pipeline.ts'

/** Tells whoever listens in this process. */
export interface Wire<T> {
  tell(news: T): void
  listen(listener: (news: T) => void): void
}

/**
 * Short ways between roles of one process. Nothing depends on them: a role whose neighbour is in another process finds the
 * same in the store, somewhat later.
 */
export interface Wires {
  readonly refreshed: Wire<SourceRefresh>
  /** An alarm came or went. */
  readonly alarms: Wire<void>
}

export function createWires(): Wires {
  return { refreshed: createWire(), alarms: createWire() }
}

function createWire<T>(): Wire<T> {
  const listeners: ((news: T) => void)[] = []
  return {
    tell(news) {
      for (const listener of listeners) listener(news)
    },
    listen: (listener) => void listeners.push(listener),
  }
}
