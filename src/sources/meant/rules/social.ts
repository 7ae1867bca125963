import type { AddressRule } from '../rule.ts'

const REDDIT = 'https://www.reddit.com'
const FLICKR = 'https://www.flickr.com/services/feeds'

export const SOCIAL_RULES: readonly AddressRule[] = [
  {
    name: 'Bluesky profile',
    match: ['bsky.app/profile/{who}/**'],
    give: ['https://bsky.app/profile/{who}/rss'],
  },
  {
    name: 'Bluesky profile',
    match: ['{who}.bsky.social'],
    give: ['https://bsky.app/profile/{who}.bsky.social/rss'],
  },
  {
    name: 'comments of a Reddit post',
    match: ['reddit.com/r/{sub}/comments/{id}/**'],
    give: [`${REDDIT}/r/{sub}/comments/{id}/.rss`],
  },
  {
    name: 'search in a subreddit',
    match: ['reddit.com/r/{sub}/search?q={words}'],
    give: [`${REDDIT}/r/{sub}/search.rss?q={words}&restrict_sr=1&sort=new`],
  },
  {
    name: 'search on Reddit',
    match: ['reddit.com/search?q={words}'],
    give: [`${REDDIT}/search.rss?q={words}&sort=new`],
  },
  {
    name: 'subreddit',
    match: ['reddit.com/r/{sub}/top?t={time:word}'],
    give: [`${REDDIT}/r/{sub}/top/.rss?t={time}`],
  },
  ...['new', 'hot', 'top', 'rising'].map((order) => ({
    name: 'subreddit',
    match: [`reddit.com/r/{sub}/${order}`],
    give: [`${REDDIT}/r/{sub}/${order}/.rss`],
  })),
  { name: 'subreddit', match: ['reddit.com/r/{sub}/**'], give: [`${REDDIT}/r/{sub}/.rss`] },
  {
    name: 'Reddit multi',
    match: ['reddit.com/user/{user}/m/{multi}/**', 'reddit.com/u/{user}/m/{multi}/**'],
    give: [`${REDDIT}/user/{user}/m/{multi}/.rss`],
  },
  ...['submitted', 'comments'].map((list) => ({
    name: `Reddit user, ${list}`,
    match: [`reddit.com/user/{user}/${list}`, `reddit.com/u/{user}/${list}`],
    give: [`${REDDIT}/user/{user}/${list}/.rss`],
  })),
  {
    name: 'Reddit user',
    match: ['reddit.com/user/{user}/**', 'reddit.com/u/{user}/**'],
    give: [`${REDDIT}/user/{user}/.rss`],
  },
  { name: 'Reddit domain', match: ['reddit.com/domain/{domain}/**'], give: [`${REDDIT}/domain/{domain}/.rss`] },
  { name: 'Reddit front page', match: ['reddit.com'], give: [`${REDDIT}/.rss`] },
  {
    name: 'Hacker News',
    match: ['news.ycombinator.com', 'news.ycombinator.com/news'],
    give: ['https://news.ycombinator.com/rss'],
  },
  {
    name: 'Hacker News user, by hnrss.org',
    match: ['news.ycombinator.com/user?id={user}', 'news.ycombinator.com/submitted?id={user}'],
    give: ['https://hnrss.org/submitted?id={user}'],
  },
  {
    name: 'comments on Hacker News, by hnrss.org',
    match: ['news.ycombinator.com/item?id={id:number}'],
    give: ['https://hnrss.org/item?id={id}'],
  },
  ...['newest', 'ask', 'show'].map((list) => ({
    name: `Hacker News ${list}, by hnrss.org`,
    match: [`news.ycombinator.com/${list}`],
    give: [`https://hnrss.org/${list}`],
  })),
  { name: 'Lobsters tag', match: ['lobste.rs/t/{tag}'], give: ['https://lobste.rs/t/{tag}.rss'] },
  { name: 'Lobsters', match: ['lobste.rs'], give: ['https://lobste.rs/rss'] },
  {
    name: 'Tumblr tag',
    match: ['{blog}.tumblr.com/tagged/{tag}/**'],
    give: ['https://{blog}.tumblr.com/tagged/{tag}/rss'],
    except: ['www'],
  },
  {
    name: 'Tumblr blog',
    match: [
      '{blog}.tumblr.com/**',
      'tumblr.com/blog/view/{blog:word}/**',
      'tumblr.com/dashboard/blog/{blog:word}/**',
      'tumblr.com/blog/{blog:word}/**',
      'tumblr.com/{blog:word}/**',
    ],
    give: ['https://{blog}.tumblr.com/rss'],
    except: ['www', 'explore', 'search', 'tagged', 'dashboard', 'login', 'register', 'about', 'policy', 'blog', 'view'],
  },
  {
    name: 'Flickr user',
    match: ['flickr.com/photos/{user:nsid}/**', 'flickr.com/people/{user:nsid}/**'],
    give: [`${FLICKR}/photos_public.gne?id={user}`],
  },
  {
    name: 'Flickr group',
    match: ['flickr.com/groups/{group:nsid}/**'],
    give: [`${FLICKR}/groups_pool.gne?id={group}`],
  },
  { name: 'Flickr tag', match: ['flickr.com/photos/tags/{tag}/**'], give: [`${FLICKR}/photos_public.gne?tags={tag}`] },
  {
    name: 'Flickr user',
    match: ['flickr.com/photos/{user:name}/**', 'flickr.com/people/{user:name}/**'],
    ask: {
      kind: 'mark',
      after: ['photos_public.gne?id=', '"nsid":"'],
      give: [`${FLICKR}/photos_public.gne?id={found}`],
    },
  },
  {
    name: 'Pinterest board',
    match: ['pinterest.com/{user:word}/{board}'],
    give: ['https://www.pinterest.com/{user}/{board}.rss'],
    except: ['pin', 'ideas', 'search', 'today', 'business', '_created', '_saved'],
  },
  {
    name: 'Pinterest user',
    match: ['pinterest.com/{user:word}', 'pinterest.com/{user:word}/_created', 'pinterest.com/{user:word}/_saved'],
    give: ['https://www.pinterest.com/{user}/feed.rss'],
    except: ['ideas', 'search', 'today', 'login'],
  },
  {
    name: 'DeviantArt user',
    match: ['deviantart.com/{user:word}', 'deviantart.com/{user:word}/gallery/**'],
    give: ['https://backend.deviantart.com/rss.xml?type=deviation&q=by:{user}+sort:time+meta:all'],
    except: ['about', 'search', 'tag', 'topic', 'join', 'popular'],
  },
  {
    name: 'Letterboxd user',
    match: ['letterboxd.com/{user:word}/**'],
    give: ['https://letterboxd.com/{user}/rss/'],
    except: ['film', 'films', 'lists', 'list', 'members', 'journal', 'about', 'search', 'actor', 'director'],
  },
  {
    name: 'Steam game',
    match: ['store.steampowered.com/app/{id:number}/**', 'store.steampowered.com/news/app/{id:number}/**'],
    give: ['https://store.steampowered.com/feeds/news/app/{id}/'],
  },
  {
    name: 'Steam group',
    match: ['steamcommunity.com/groups/{group}/**'],
    give: ['https://steamcommunity.com/groups/{group}/rss/'],
  },
]

/** Mastodon, Lemmy and their kin run on many hosts, Discourse as well. */
export const FEDIVERSE_RULES: readonly AddressRule[] = [
  {
    name: 'Mastodon profile',
    match: [
      '{site}/@{user:word}',
      '{site}/@{user:word}/{post:number}',
      '{site}/@{user:word}/media',
      '{site}/@{user:word}/with_replies',
      '{site}/web/@{user:word}',
      '{site}/web/@{user:word}/{post:number}',
      '{site}/deck/@{user:word}',
    ],
    give: ['{origin}/@{user}.rss'],
  },
  {
    name: 'tag of a Mastodon profile',
    match: ['{site}/@{user:word}/tagged/{tag:word}'],
    give: ['{origin}/@{user}/tagged/{tag}.rss'],
  },
  {
    name: 'Mastodon profile',
    match: ['{site}/users/{user:word}', '{site}/users/{user:word}/statuses/{post:number}'],
    give: ['{origin}/@{user}.rss', '{origin}/users/{user}/feed.rss'],
    isGuess: true,
  },
  { name: 'Mastodon tag', match: ['{site}/tags/{tag:word}'], give: ['{origin}/tags/{tag}.rss'], isGuess: true },
  {
    name: 'Lemmy community',
    match: ['{site}/c/{community}'],
    give: ['{origin}/feeds/c/{community}.xml?sort=New'],
    isGuess: true,
  },
  { name: 'Lemmy user', match: ['{site}/u/{user}'], give: ['{origin}/feeds/u/{user}.xml?sort=New'], isGuess: true },
  {
    name: 'Discourse topic',
    match: ['{site}/t/{slug}/{id:number}/**'],
    give: ['{origin}/t/{slug}/{id}.rss'],
    isGuess: true,
  },
  {
    name: 'Discourse category',
    match: ['{site}/c/{slug:word}/{id:number}/**'],
    give: ['{origin}/c/{slug}/{id}.rss'],
    isGuess: true,
  },
  { name: 'Discourse forum', match: ['{site}/latest'], give: ['{origin}/latest.rss'], isGuess: true },
]
