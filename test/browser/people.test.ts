import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../e2e/world-node.ts'
import { type LocalServer, startServer } from '../support/local-server.ts'
import { CHROMIUM, openPage, type WatchedPage, WITHOUT_CHROMIUM } from './chromium.ts'
import { enter, type NodeClient } from './node-client.ts'
import { answerAsSite } from './small-site.ts'
import { createBrowserStage, NEAR } from './stage.ts'

describe.skipIf(CHROMIUM === null)(`a node of several people${WITHOUT_CHROMIUM}`, () => {
  const stage = createBrowserStage()
  let site: LocalServer
  let client: NodeClient
  let owner: WatchedPage
  let guest: WatchedPage

  const itemCount = async () =>
    ((await client.call('GET', '/api/items?limit=100')) as { items: unknown[] }).items.length

  beforeAll(async () => {
    site = await startServer(answerAsSite)
    client = await stage.openOwned(['--budget', '600/min', ...NEAR])
    const add = (name: string, category: string) =>
      client.call('POST', '/api/sources', {
        ...{ url: site.url(`/${name}.xml`), discover: false, name, categories: [category] },
      })
    await add('harbour', 'Ships')
    await add('lighthouse', 'Ships')
    await add('meadow', 'Land')
    expect(await eventually(async () => (await itemCount()) === 12)).toBe(true)
    owner = await openPage(stage.browser)
    await enter(owner.page, stage.url, client)
    guest = await openPage(stage.browser)
  })
  afterAll(async () => {
    await stage.close()
    await site?.close()
  })

  it('lets in an invited person, who then sees what a member may', async () => {
    await owner.page.goto(`${stage.url}/settings/people`)
    await owner.page.getByLabel('Invite somebody').fill('guest')
    await owner.page.getByRole('button', { name: 'Invite', exact: true }).click()
    const address = (await owner.page.locator('code.secret').textContent()) ?? ''
    const { page } = guest
    await page.goto(address)
    await page.getByLabel('Password').fill('a password of the guest')
    await page.getByRole('button', { name: 'Come in' }).click()
    await page.getByText(/ of 3 feeds are archived/).waitFor()
    await page.goto(`${stage.url}/sources/1`)
    await page.getByRole('button', { name: 'Check now' }).waitFor()
    expect(await page.getByRole('button', { name: 'Edit' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Log out' }).click()
    await page.getByLabel('Name').fill('guest')
    await page.getByLabel('Password').fill('a password of the guest')
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.getByRole('button', { name: 'Log out' }).waitFor()
  })

  it('keeps for each what they have read and starred', async () => {
    const { page } = guest
    await page.goto(`${stage.url}/read?category=Ships`)
    await page.getByRole('button', { name: /harbour 3/ }).click()
    await page.getByRole('button', { name: 'Star', exact: true }).click()
    await page.getByRole('button', { name: 'Starred', exact: true }).waitFor()
    await page.goto(`${stage.url}/read?starred=1`)
    await page.getByRole('button', { name: /harbour 3/ }).waitFor()
    await owner.page.goto(`${stage.url}/read?starred=1`)
    await owner.page.getByText('All is read, or nothing has come yet.').waitFor()
    await owner.page.goto(`${stage.url}/read?unread=1`)
    await owner.page.getByRole('button', { name: /harbour 3/ }).waitFor()
  })

  it('makes a private query feed that opens with a token, until it is taken back', async () => {
    const { page } = guest
    await page.goto(`${stage.url}/new-query`)
    await page.getByRole('textbox', { name: 'Query' }).click()
    await page.keyboard.press('Control+a')
    await page.keyboard.insertText('CREATE FEED ships AS RETURN CATEGORY "Ships";')
    await page.getByText('No mistake').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Make private' }).click()
    await page.getByText('Private: readers need a token.').waitFor()
    const closed = `${stage.url}/feeds/ships.rss`
    expect((await fetch(closed)).status).toBe(401)
    await page.getByRole('button', { name: 'New token' }).click()
    const open = (await page.locator('.notice .address a').first().textContent()) ?? ''
    // What the archive has comes into the feed in the background.
    const answer = async () => (await fetch(open)).text()
    await expect.poll(answer).toContain('lighthouse 3')
    await page.getByRole('button', { name: 'Take back' }).click()
    await page.getByRole('button', { name: 'Take back' }).waitFor({ state: 'detached' })
    expect((await fetch(open)).status).toBe(401)
  })

  it('makes a token for a program, which can do as much as it says', async () => {
    const { page } = guest
    await page.goto(`${stage.url}/settings/you`)
    await page.getByLabel('What it is for').fill('a script')
    await page.getByLabel('Scope').selectOption('read')
    await page.getByRole('button', { name: 'Make a token' }).click()
    const secret = (await page.locator('code.secret').textContent()) ?? ''
    const ask = (path: string, method = 'GET') =>
      fetch(`${stage.url}${path}`, { method, headers: { authorization: `Bearer ${secret}` } })
    expect((await ask('/api/sources')).status).toBe(200)
    expect((await ask('/api/sources/1/refresh', 'POST')).status).toBe(403)
    const line = page.getByRole('listitem').filter({ hasText: 'a script' })
    await line.getByRole('button', { name: 'Take back' }).click()
    await line.waitFor({ state: 'detached' })
    expect((await ask('/api/sources')).status).toBe(401)
  })

  it('follows query feeds, categories and sources; followers are what the scheduler counts', async () => {
    const { page } = guest
    await page.goto(`${stage.url}/sources/3`)
    await page.getByText('0 readers').waitFor()
    await page.getByRole('button', { name: 'Follow', exact: true }).click()
    await page.getByRole('button', { name: '✓ Following' }).waitFor()
    await page.getByText('1 reader.').waitFor()
    await page.getByRole('link', { name: 'Deliveries', exact: true }).click()
    const followed = page.getByRole('region', { name: 'What you follow' })
    await followed.getByRole('link', { name: 'meadow', exact: true }).waitFor()
    await followed.getByLabel('Follow a query feed or folder').selectOption({ label: 'Ships' })
    await followed.getByRole('button', { name: 'Follow', exact: true }).click()
    await followed.getByRole('button', { name: 'Unfollow Ships' }).waitFor()

    await owner.page.goto(`${stage.url}/read?category=Ships`)
    await owner.page.getByRole('button', { name: 'How to show it' }).click()
    await owner.page.getByRole('button', { name: 'Follow', exact: true }).click()
    await owner.page.getByRole('button', { name: '✓ Following' }).waitFor()
    await owner.page.goto(`${stage.url}/sources/1`)
    await owner.page.getByText('2 readers.').waitFor()
    await page.reload()
    await followed.getByText('2 followers').waitFor()
    await followed.getByRole('button', { name: 'Unfollow meadow' }).click()
    await followed.getByRole('link', { name: 'meadow', exact: true }).waitFor({ state: 'detached' })
    await followed.getByRole('link', { name: 'Read Ships' }).click()
    await page.getByRole('button', { name: /harbour 3/ }).waitFor()
  })

  it('sends a query feed to a webhook, and stops', async () => {
    const { page } = guest
    await page.goto(`${stage.url}/deliveries`)
    const sent = page.getByRole('region', { name: 'What is sent elsewhere' })
    await sent.getByLabel('Query feed').selectOption('ships')
    await sent.getByLabel('Address that is called').fill(site.url('/hook'))
    await sent.getByRole('button', { name: 'Send it' }).click()
    await sent.getByText('Its messages are signed with this, shown once').waitFor()
    await sent.getByText('ships').first().waitFor()
    await client.call('POST', '/api/sources', {
      ...{ url: site.url('/tug.xml'), discover: false, name: 'tug', categories: ['Ships'] },
    })
    const isCalled = () => site.requests.some(({ url }) => url === '/hook')
    expect(await eventually(isCalled)).toBe(true)
    await sent.getByRole('button', { name: /^Send ships no more/ }).click()
    await sent.getByText('Nothing is sent').waitFor()
  })

  it('lists where one is logged in and what one did, and ends other sessions', async () => {
    const { page } = guest
    const elsewhere = await openPage(stage.browser)
    await elsewhere.page.goto(stage.url)
    await elsewhere.page.getByLabel('Name').fill('guest')
    await elsewhere.page.getByLabel('Password').fill('a password of the guest')
    await elsewhere.page.getByRole('button', { name: 'Log in' }).click()
    await elsewhere.page.getByRole('button', { name: 'Log out' }).waitFor()
    await page.goto(`${stage.url}/settings/you`)
    const sessions = page.getByRole('region', { name: 'Sessions' })
    await sessions
      .getByText(/Chrome.*, 127\.0\.0\.1/)
      .first()
      .waitFor()
    await sessions.getByText('this one').waitFor()
    await sessions.getByRole('button', { name: 'End all others' }).click()
    await sessions.getByRole('button', { name: 'End', exact: true }).first().waitFor({ state: 'detached' })
    await elsewhere.page.goto(`${stage.url}/sources`)
    await elsewhere.page.getByRole('button', { name: 'Log in' }).waitFor()
    await elsewhere.context.close()
    await page.getByRole('link', { name: 'About', exact: true }).click()
    await page.getByRole('link', { name: 'What you did' }).click()
    const log = page.getByRole('list', { name: 'Entries' })
    await log.getByText('sessions ended').first().waitFor()
    expect(await log.getByText('owner').count()).toBe(0)
    await owner.page.goto(`${stage.url}/audit`)
    await owner.page.getByRole('list', { name: 'Entries' }).getByText('guest').first().waitFor()
  })

  it('says nothing in the console all the while', () => {
    expect([...owner.complaints, ...guest.complaints]).toEqual([])
  })
})
