import type { AddressRule } from '../rule.ts'

const NOT_A_BLOG = ['www', 'open', 'blog', 'support', 'help', 'on', 'api', 'cdn', 'static', 'public-api']

/** Hosts where each blog has a name below theirs, and its feed a fixed path. */
const hosted = (name: string, domain: string, path: string): AddressRule => ({
  name,
  match: [`{blog}.${domain}/**`],
  give: [`https://{blog}.${domain}${path}`],
  except: NOT_A_BLOG,
})

const medium: readonly AddressRule[] = [
  { name: 'Medium user', match: ['medium.com/@{user:name}/**'], give: ['https://medium.com/feed/@{user}'] },
  {
    name: 'Medium tag',
    match: ['medium.com/tag/{tag}/**', 'medium.com/topic/{tag}/**'],
    give: ['https://medium.com/feed/tag/{tag}'],
  },
  {
    name: 'tag of a Medium publication',
    match: ['medium.com/{publication:word}/tagged/{tag}'],
    give: ['https://medium.com/feed/{publication}/tagged/{tag}'],
  },
  {
    name: 'Medium publication',
    match: ['medium.com/{publication:word}/**'],
    give: ['https://medium.com/feed/{publication}'],
    except: [
      'm',
      'me',
      'p',
      's',
      'u',
      'feed',
      'search',
      'about',
      'membership',
      'tag',
      'topic',
      'topics',
      'new-story',
      'policy',
    ],
  },
  hosted('Medium user', 'medium.com', '/feed'),
]

/** The hosts of countries lead to the same blogs. */
const BLOGSPOT = ['blogspot.com', 'blogspot.{country}', 'blogspot.{second}.{country}']

const blogger: readonly AddressRule[] = BLOGSPOT.flatMap((domain): readonly AddressRule[] => [
  {
    name: 'label of a Blogger blog',
    match: [`{blog}.${domain}/search/label/{label}`],
    give: ['https://{blog}.blogspot.com/feeds/posts/default/-/{label}'],
  },
  { name: 'Blogger blog', match: [`{blog}.${domain}/**`], give: ['https://{blog}.blogspot.com/feeds/posts/default'] },
])

const wordpress: readonly AddressRule[] = ['category', 'tag', 'author'].flatMap((part): readonly AddressRule[] => [
  {
    name: `${part} of a WordPress blog`,
    match: [`{blog}.wordpress.com/${part}/{path...}`],
    give: [`https://{blog}.wordpress.com/${part}/{path...}/feed/`],
    except: NOT_A_BLOG,
  },
])

export const WRITING_RULES: readonly AddressRule[] = [
  ...medium,
  {
    name: 'Substack',
    match: ['open.substack.com/pub/{publication:word}/**', 'substack.com/@{publication:word}/**'],
    give: ['https://{publication}.substack.com/feed'],
  },
  hosted('Substack', 'substack.com', '/feed'),
  { name: 'WordPress tag', match: ['wordpress.com/tag/{tag}/**'], give: ['https://wordpress.com/tag/{tag}/feed/'] },
  ...wordpress,
  hosted('WordPress blog', 'wordpress.com', '/feed/'),
  ...blogger,
  hosted('Ghost blog', 'ghost.io', '/rss/'),
  hosted('Hashnode blog', 'hashnode.dev', '/rss.xml'),
  hosted('Bear blog', 'bearblog.dev', '/feed/'),
  hosted('Mataroa blog', 'mataroa.blog', '/rss/'),
  hosted('Micro.blog', 'micro.blog', '/feed.xml'),
  hosted('LiveJournal', 'livejournal.com', '/data/rss'),
  hosted('Dreamwidth', 'dreamwidth.org', '/data/rss'),
  {
    name: 'Write.as blog',
    match: ['write.as/{blog:word}/**'],
    give: ['https://write.as/{blog}/feed/'],
    except: ['about', 'new', 'login', 'pricing', 'for'],
  },
  {
    name: 'Buttondown letter',
    match: ['buttondown.com/{who:word}/**', 'buttondown.email/{who:word}/**'],
    give: ['https://buttondown.com/{who}/rss'],
    except: ['features', 'pricing', 'login', 'blog', 'climate', 'stack'],
  },
  {
    name: 'Neocities site',
    match: ['neocities.org/site/{site:word}'],
    give: ['https://neocities.org/site/{site}.rss'],
  },
  {
    name: 'devlog on itch.io',
    match: ['{maker}.itch.io/{game}/devlog/**', '{maker}.itch.io/{game}'],
    give: ['https://{maker}.itch.io/{game}/devlog.rss'],
  },
  { name: 'DEV tag', match: ['dev.to/t/{tag}/**'], give: ['https://dev.to/feed/tag/{tag}'] },
  {
    name: 'DEV user',
    match: ['dev.to/{user:word}/**'],
    give: ['https://dev.to/feed/{user}'],
    except: ['feed', 'about', 'search', 'top', 'latest', 'tags', 'videos', 'podcasts', 'pod', 'enter'],
  },
  { name: 'DEV', match: ['dev.to'], give: ['https://dev.to/feed'] },
  {
    name: 'HackerNoon tag',
    match: ['hackernoon.com/tagged/{tag}'],
    give: ['https://hackernoon.com/tagged/{tag}/feed'],
  },
  {
    name: 'Google News search',
    match: ['news.google.com/search?q={words}'],
    give: ['https://news.google.com/rss/search?q={words}'],
  },
  {
    name: 'Google News topic',
    match: ['news.google.com/topics/{topic}'],
    give: ['https://news.google.com/rss/topics/{topic}'],
  },
  { name: 'Google News', match: ['news.google.com', 'news.google.com/home'], give: ['https://news.google.com/rss'] },
]

/** WordPress and Medium on hosts of people's own. */
export const OWN_HOST_RULES: readonly AddressRule[] = [
  ...['category', 'tag', 'author'].map(
    (part): AddressRule => ({
      name: `${part} of a WordPress blog`,
      match: [`{site}/${part}/{path...}`],
      give: [`{origin}/${part}/{path...}/feed/`],
      isGuess: true,
    }),
  ),
  {
    name: 'tag of a Medium publication',
    match: ['{site}/tagged/{tag}'],
    give: ['{origin}/feed/tagged/{tag}'],
    isGuess: true,
  },
]
