/** What the other pages need. */
export const dePages = {}
