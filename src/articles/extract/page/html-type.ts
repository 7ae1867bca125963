import { readContentType } from '../../../text/charset/charset-names.ts'

const HTML_TYPES = /^(?:text\/html|application\/(?:xhtml\+xml|vnd\.wap\.xhtml\+xml))$/
/** What servers say that do not know. */
const VAGUE_TYPES =
  /^(?:text\/(?:plain|xml)|application\/(?:octet-stream|xml|x-unknown|force-download)|unknown\/unknown|\*\/\*)$/

/** Of what an answer says of its type; `nothing`: its first bytes have to say it. */
export function typeSays(contentType: string | null): 'html' | 'nothing' | 'else' {
  const { mediaType } = readContentType(contentType)
  if (mediaType === null || VAGUE_TYPES.test(mediaType)) return 'nothing'
  return HTML_TYPES.test(mediaType) ? 'html' : 'else'
}
