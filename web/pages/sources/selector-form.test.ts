import { expect, it } from 'vitest'
import { EMPTY_SELECTORS, listingOf, selectorsOf } from './selector-form.ts'

it('what is typed is sent without what is empty', () => {
  expect(listingOf(EMPTY_SELECTORS)).toBeNull()
  expect(listingOf({ ...EMPTY_SELECTORS, list: ' li ', date: '.day' })).toEqual({
    list: 'li',
    title: null,
    link: null,
    date: '.day',
    content: null,
  })
  expect(listingOf({ ...EMPTY_SELECTORS, list: 'li', kind: 'element' })).toBeNull()
  expect(listingOf({ ...EMPTY_SELECTORS, list: 'li', kind: 'element', element: '#x' })).toEqual({ element: '#x' })
})

it('a suggestion that is taken is sent as it was', () => {
  const listing = { list: 'li', title: 'a', link: 'a', date: null, content: null }
  expect(listingOf(selectorsOf({ listing, itemCount: 0, items: [] }))).toEqual(listing)
})
