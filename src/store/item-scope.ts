import type { SourceId } from '../model/index.ts'

/** Which items: everything, a category with its subfolders, or one source. */
export type ItemScope =
  | { readonly kind: 'all' }
  | { readonly kind: 'category'; readonly category: string }
  | { readonly kind: 'source'; readonly sourceId: SourceId }
