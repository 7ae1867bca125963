/** What the other pages need. */
export const enPages = {}
