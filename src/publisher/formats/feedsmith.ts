import type * as Feedsmith from 'feedsmith'
import { loadLater } from '../../runtime/load-later.ts'

/** Its generators, of which it loads the parsers of all formats, too: with the first document. */
export const feedsmith = loadLater<typeof Feedsmith>('feedsmith')
