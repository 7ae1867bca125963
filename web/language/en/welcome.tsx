export const enWelcome = {
  myFirstFeed: 'My first feed',
  whatToHear: 'What do you want to hear of?',
  whatIsQueryFeed: 'A query feed takes from all sources what you ask for, and is a feed itself.',
  title: 'Title',
  words: 'Words',
  wordsHelp: 'Separated by commas; empty: everything.',
  theQuery: 'The query that this makes',
  makeFeed: 'Make this feed',
  firstQueryFeed: 'First query feed',
  firstMinutes: 'Your first five minutes',
  steps: 'Steps',
  goOn: 'Go on',
  oneIsEnough: 'One source is enough to go on.',
  followed: (p: { readonly sources: string }) => `${p.sources} followed.`,
  thatIsIt: 'That is it',
  fills: (p: { readonly name: string }) => (
    <>
      The feed <strong>{p.name}</strong> fills from the archive and with everything that comes. The node checks your
      sources as often as they are worth it, within its budget.
    </>
  ),
  addresses: 'Its addresses',
  readHere: 'Read it here',
  followSite: 'Follow a site',
  orBring: 'Or bring your list',
}
