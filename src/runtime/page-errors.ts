/** Those of pages: of items, and of sources without a feed. */
export const PAGE_ERRORS = {
  // Pages of items
  PAGE_ROBOTS: {
    summary: 'The robots.txt of the site does not allow this page',
    hint: 'What the feed says of the item stays. Ask the site, or leave its pages alone.',
  },
  PAGE_ROBOTS_UNREACHABLE: {
    summary: 'The site did not answer for its robots.txt',
    hint: 'The page is tried again later.',
  },
  PAGE_NOT_HTML: {
    summary: 'The page of the item is no HTML',
    hint: 'What the feed says of the item stays; follow its link to see it.',
  },
  PAGE_TOO_LARGE: {
    summary: 'The page of the item is too large to be read',
    hint: 'What the feed says of the item stays; follow its link to see it.',
  },
  PAGE_TOO_COSTLY: {
    summary: 'Reading the page of the item took too long or too much memory',
    hint: 'What the feed says of the item stays; follow its link to see it.',
  },
  PAGE_NO_TEXT: {
    summary: 'The page of the item has no text of an article',
    hint: 'What the feed says of the item stays; a rule for the site may find it.',
  },
  // Pages without a feed
  LISTING_NOT_HTML: {
    summary: 'The address leads to a file that is no page',
    hint: 'Give the address of the page that lists such files.',
  },
  SELECTOR_INVALID: {
    summary: 'A selector cannot be read',
    hint: 'Write it in CSS, as "article.post" or "ul.news > li". See docs/pages.md.',
  },
  SELECTOR_TOO_COSTLY: {
    summary: 'A selector takes too long on this page',
    hint: 'Name classes instead of "*", and fewer of :has, :not and :contains.',
  },
  LISTING_EMPTY: {
    summary: 'The selectors find nothing on the page',
    hint: 'The site may have been rebuilt: `headwater source suggest` names others, `headwater source set` changes them.',
    pageHint:
      'The site may have been rebuilt: add its page to see selectors that fit; the command line changes those of this source.',
  },
} as const
