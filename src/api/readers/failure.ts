/** What a client did wrong, in the words of the protocol that it speaks. */
export class ReaderFailure extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** The same for what is not there and for what its reader may not see. */
export function notThere(what: string): ReaderFailure {
  return new ReaderFailure(404, `Not found: ${what.slice(0, 200)}`)
}
