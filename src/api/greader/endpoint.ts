import type { ReaderDeps } from '../readers/deps.ts'
import type { Library } from '../readers/library.ts'
import type { Params } from './params.ts'

/** A request of somebody who is known. */
export interface GReaderCall {
  readonly library: Library
  readonly params: Params
  /** What follows the path of the endpoint, decoded; '' where nothing does. */
  readonly rest: string
  /** What is no form, as it came. */
  readonly body: Buffer
}

/** Text is sent as it is, `OK` above all; a value as JSON; a document with its type. */
export type GReaderAnswer = string | object | { readonly type: string; readonly document: string | Buffer }

export interface Endpoint {
  /** Changes something: a wrong `T` is refused. */
  readonly isChange?: true
  /** JSON that is sent as text: google-reader-api parses these answers twice where their type says JSON, and no client minds. */
  readonly isText?: true
  readonly answer: (call: GReaderCall, deps: ReaderDeps) => Promise<GReaderAnswer>
}
