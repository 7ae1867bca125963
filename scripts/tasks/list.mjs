const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }

/** Ten things that a newcomer wants, each from the first page on. `site` is an address that nobody follows yet. */
export const TASKS = [
  {
    name: 'first-source',
    wish: 'Follow a site',
    async run(person, { site }) {
      const { page } = person
      await person.go('Sources')
      await person.click(page.getByRole('button', { name: 'Add a source' }))
      await person.type(page.getByLabel('Address of a site or feed'), site)
      await person.click(page.getByRole('button', { name: 'Look for feeds' }))
      await person.click(page.getByRole('button', { name: 'Follow', exact: true }))
      await person.seeNoMore(page.getByRole('button', { name: 'Follow', exact: true }))
    },
  },
  {
    name: 'first-query-feed',
    wish: 'A feed of my own with everything about storms',
    async run(person) {
      const { page } = person
      await person.go('Queries')
      await person.click(page.getByRole('link', { name: 'New query feed' }))
      const query = 'CREATE FEED storms TITLE "Storms" AS RETURN ALL WHERE ITEM CONTAINS "storm";'
      await person.write(page.getByRole('textbox', { name: 'Query' }), query)
      await person.see(page.getByText('No mistake'))
      await person.click(page.getByRole('button', { name: 'Save' }))
      await person.see(page.getByRole('heading', { name: 'Storms' }))
    },
  },
  {
    name: 'read-on-phone',
    wish: 'Read an item on the phone',
    device: PHONE,
    async run(person) {
      const { page } = person
      await person.go('Read')
      await person.click(page.locator('.items button.item'))
      await person.see(page.locator('article .content'))
    },
  },
  {
    name: 'why-late',
    wish: 'Why was this feed looked at when it was?',
    async run(person) {
      const { page } = person
      await person.go('Sources')
      await person.click(page.getByRole('table', { name: 'Sources' }).getByRole('link'))
      await person.see(page.getByText('Next check'))
      await person.see(page.getByRole('columnheader', { name: 'Why' }))
    },
  },
  {
    name: 'cost',
    wish: 'What does it cost, and what would polling cost?',
    async run(person) {
      await person.see(person.page.getByText('Beside polling at fixed intervals'))
    },
  },
  {
    name: 'in-trouble',
    wish: 'Which feeds need me, and what is wrong with one?',
    async run(person) {
      const { page } = person
      await person.click(page.locator('#need-you').getByRole('link'))
      await person.see(page.getByText('Next check'))
    },
  },
  {
    name: 'feed-for-reader',
    wish: 'The address of a query feed for my reader',
    async run(person) {
      const { page } = person
      await person.go('Queries')
      await person.click(page.getByRole('link', { name: /harbour|ferries|storms/i }))
      await person.click(page.getByRole('button', { name: 'Copy Atom' }))
    },
  },
  {
    name: 'app-password',
    wish: "A token for my phone's app",
    async run(person) {
      const { page } = person
      await person.go('Settings')
      await person.go('You')
      await person.type(page.getByLabel('What it is for'), 'phone')
      await person.click(page.getByRole('button', { name: 'Make a token' }))
      await person.see(page.getByText(/hw_/))
    },
  },
  {
    name: 'search',
    wish: 'Find what I read about a harbour',
    async run(person) {
      const { page } = person
      await person.go('Read')
      await person.type(page.getByLabel('Search'), 'harbour')
      await person.press('Enter')
      await person.see(page.locator('.items button.item'))
    },
  },
  {
    name: 'budget',
    wish: 'Spend less',
    async run(person) {
      const { page } = person
      await person.go('Settings')
      await person.type(page.getByLabel('Requests to spend', { exact: true }), '400')
      await person.click(page.getByRole('button', { name: 'Save budget' }))
      await person.see(page.getByText(/^Saved;/))
    },
  },
]
