import type { AddressRule, AskTemplate } from '../rule.ts'

const YOUTUBE = 'https://www.youtube.com/feeds/videos.xml'
const CHANNEL = [`${YOUTUBE}?channel_id=UC{found}`]

/** Names of channels are not in their feeds' addresses; the page has the number, in several places. */
const YOUTUBE_PAGE: AskTemplate = {
  kind: 'mark',
  after: ['videos.xml?channel_id=UC', '"externalId":"UC', 'itemprop="identifier" content="UC', '"channelId":"UC'],
  give: CHANNEL,
}

export const VIDEO_RULES: readonly AddressRule[] = [
  {
    name: 'YouTube channel',
    match: ['youtube.com/channel/UC{id:word}/**', 'music.youtube.com/channel/UC{id:word}/**'],
    give: [`${YOUTUBE}?channel_id=UC{id}`],
  },
  {
    name: 'YouTube playlist',
    match: ['youtube.com/playlist?list={list:word}', 'music.youtube.com/playlist?list={list:word}'],
    give: [`${YOUTUBE}?playlist_id={list}`],
  },
  {
    name: 'YouTube playlist',
    match: ['youtube.com/watch?list=PL{list:word}'],
    give: [`${YOUTUBE}?playlist_id=PL{list}`],
  },
  { name: 'YouTube user', match: ['youtube.com/user/{user:name}/**'], give: [`${YOUTUBE}?user={user}`] },
  {
    name: 'YouTube channel',
    match: ['youtube.com/@{handle}/**', 'youtube.com/c/{name}/**', 'music.youtube.com/@{handle}/**'],
    ask: YOUTUBE_PAGE,
  },
  {
    // Names from before there were handles.
    name: 'YouTube channel',
    match: ['youtube.com/{name:word}', 'youtube.com/{name:word}/videos'],
    except: [
      ...[
        'watch',
        'feed',
        'feeds',
        'results',
        'shorts',
        'live',
        'playlist',
        'channel',
        'user',
        'c',
        'embed',
        'v',
        'redirect',
      ],
      ...[
        'about',
        'account',
        'ads',
        'audiolibrary',
        'creators',
        'gaming',
        'hashtag',
        'howyoutubeworks',
        'jobs',
        'kids',
        'music',
      ],
      ...[
        'news',
        'post',
        'premium',
        'reporthistory',
        'source',
        'sports',
        'sitemaps',
        't',
        'tv',
        'upload',
        'yt',
        'clip',
        'signin',
      ],
    ],
    ask: YOUTUBE_PAGE,
  },
  {
    name: 'channel of a YouTube video',
    match: ['youtube.com/watch?v={video:word}', 'youtube.com/shorts/{video:word}', 'youtube.com/live/{video:word}'],
    ask: { ...YOUTUBE_PAGE, after: ['"channelId":"UC', '"externalChannelId":"UC'] },
  },
  {
    name: 'channel of a YouTube video',
    match: ['youtu.be/{video:word}', 'youtube.com/embed/{video:word}', 'youtube-nocookie.com/embed/{video:word}'],
    ask: { ...YOUTUBE_PAGE, url: 'https://www.youtube.com/watch?v={video}', after: ['"channelId":"UC'] },
  },
  {
    name: 'Vimeo channel',
    match: ['vimeo.com/channels/{channel}/**'],
    give: ['https://vimeo.com/channels/{channel}/videos/rss'],
  },
  {
    name: 'Vimeo group',
    match: ['vimeo.com/groups/{group}/**'],
    give: ['https://vimeo.com/groups/{group}/videos/rss'],
  },
  { name: 'Vimeo video', match: ['vimeo.com/{video:number}/**'] },
  {
    name: 'Vimeo user',
    match: ['vimeo.com/{user:word}', 'vimeo.com/{user:word}/videos'],
    give: ['https://vimeo.com/{user}/videos/rss'],
    except: ['about', 'blog', 'categories', 'features', 'help', 'join', 'log_in', 'search', 'upgrade', 'watch'],
  },
  {
    name: 'Dailymotion user',
    match: ['dailymotion.com/user/{user:name}/**', 'dailymotion.com/{user:name}'],
    give: ['https://www.dailymotion.com/rss/user/{user}'],
    except: ['video', 'playlist', 'search', 'signin', 'us', 'rss'],
  },
  { name: 'Odysee channel', match: ['odysee.com/@{channel}/**'], give: ['https://odysee.com/$/rss/@{channel}'] },
  {
    name: 'Apple podcast',
    match: [
      'podcasts.apple.com/{country}/podcast/{title}/id{id:number}',
      'podcasts.apple.com/{country}/podcast/id{id:number}',
      'podcasts.apple.com/podcast/{title}/id{id:number}',
      'podcasts.apple.com/podcast/id{id:number}',
      'itunes.apple.com/{country}/podcast/{title}/id{id:number}',
      'itunes.apple.com/{country}/podcast/id{id:number}',
      'itunes.apple.com/podcast/{title}/id{id:number}',
      'itunes.apple.com/podcast/id{id:number}',
      'embed.podcasts.apple.com/{country}/podcast/{title}/id{id:number}',
      // Players that name podcasts as Apple does.
      'overcast.fm/itunes{id:number}/**',
      'pca.st/itunes/{id:number}',
    ],
    ask: {
      kind: 'json',
      url: 'https://itunes.apple.com/lookup?id={id}&entity=podcast',
      path: ['results', 0, 'feedUrl'],
    },
  },
  {
    name: 'SoundCloud user',
    match: ['soundcloud.com/{user:word}/**'],
    except: ['discover', 'search', 'stream', 'you', 'upload', 'charts', 'pages'],
    ask: {
      kind: 'mark',
      url: 'https://soundcloud.com/{user}',
      after: ['soundcloud://users:'],
      give: ['https://feeds.soundcloud.com/users/soundcloud:users:{found}/sounds.rss'],
    },
  },
]

/** PeerTube runs on many hosts, and so do programs that show YouTube. */
export const PEERTUBE_RULES: readonly AddressRule[] = [
  {
    name: 'YouTube channel, shown elsewhere',
    match: ['{site}/channel/UC{id:word}/**'],
    give: [`${YOUTUBE}?channel_id=UC{id}`],
    isGuess: true,
  },
  {
    name: 'PeerTube channel',
    match: ['{site}/c/{channel:name}/**', '{site}/video-channels/{channel:name}/**'],
    give: ['{origin}/feeds/videos.xml?videoChannelName={channel}'],
    isGuess: true,
  },
  {
    name: 'PeerTube account',
    match: ['{site}/a/{account:name}/**', '{site}/accounts/{account:name}/**'],
    give: ['{origin}/feeds/videos.xml?accountName={account}'],
    isGuess: true,
  },
]
