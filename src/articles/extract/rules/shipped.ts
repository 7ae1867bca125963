import type { SiteRule } from '../../article.ts'
import { parseSiteRule } from './site-rule.ts'

/*
 * Kinds of pages of which the general way takes too little (several texts of equal rank) or too much (boxes that look like text).
 */
const RULES: readonly object[] = [
  {
    name: 'mediawiki',
    hosts: ['*'],
    where: 'meta[name="generator"][content^="MediaWiki"]',
    content: ['#mw-content-text .mw-parser-output', '#mw-content-text', '#bodyContent'],
    title: ['#firstHeading'],
    remove: [
      '.mw-editsection, .navbox, .vertical-navbox, .sidebar, .infobox, .metadata, .ambox, .toc, #toc, .hatnote, .mw-jump-link',
      '.reflist, .references, sup.reference, .noprint, .catlinks, .printfooter, .mw-empty-elt, .shortdescription',
    ],
  },
  {
    name: 'discourse',
    hosts: ['*'],
    where: 'meta[name="generator"][content^="Discourse"]',
    content: ['.topic-body .post[itemprop="text"]', '.topic-body .post', '.topic-body .cooked', '.cooked'],
    author: ['.topic-body [itemprop="author"] [itemprop="name"]', '.creator [itemprop="name"]', '.names .username'],
    remove: ['.crawler-post-infos, .topic-map, .post-menu-area, .quote-controls, .badge'],
  },
  {
    name: 'stack-exchange',
    hosts: [
      'stackoverflow.com',
      'stackexchange.com',
      'superuser.com',
      'serverfault.com',
      'askubuntu.com',
      'mathoverflow.net',
    ],
    content: ['#question .js-post-body, .answer .js-post-body', '#question .post-text, .answer .post-text'],
    title: ['#question-header h1', 'h1[itemprop="name"]'],
    author: ['#question .owner .user-details a', '#question .user-details [itemprop="name"]'],
    date: ['#question time[itemprop="dateCreated"]', 'time[itemprop="dateCreated"]', '#question .relativetime'],
  },
  {
    name: 'phpbb',
    hosts: ['*'],
    where: 'body#phpbb',
    content: ['.postbody .content', '.postbody'],
    author: ['.postbody .author .username', '.postbody .author .username-coloured', '.postprofile .username'],
    date: ['.postbody .author time'],
    remove: ['.signature, .notice, .post-buttons'],
  },
  {
    name: 'sphinx',
    hosts: ['*'],
    where: 'div.sphinxsidebar, div.rst-content, meta[name="generator"][content^="Docutils"]',
    content: ['div.rst-content [itemprop="articleBody"]', 'div.body[role="main"]', 'div[role="main"]', 'div.document'],
    title: ['div[role="main"] h1', 'h1'],
    remove: ['a.headerlink, .sphinxsidebar, .related, .rst-footer-buttons, [role="navigation"], .viewcode-link'],
  },
  {
    name: 'mkdocs',
    hosts: ['*'],
    where: 'meta[name="generator"][content^="mkdocs" i]',
    content: ['article.md-content__inner', '[role="main"]'],
    remove: ['a.headerlink, .md-content__button, .md-source-file'],
  },
  {
    name: 'github',
    hosts: ['github.com'],
    where: '.markdown-body, .comment-body',
    content: ['.release .markdown-body', '.js-discussion .comment-body', 'article.markdown-body', '.markdown-body'],
    author: ['.js-discussion .author', '.gh-header-meta .author'],
    date: ['.gh-header-meta relative-time', 'relative-time'],
    remove: ['a.anchor, .octicon, .zeroclipboard-container, clipboard-copy'],
  },
  {
    name: 'arxiv',
    hosts: ['arxiv.org'],
    where: 'blockquote.abstract',
    content: ['blockquote.abstract'],
    title: ['meta[name="citation_title"]'],
    date: ['meta[name="citation_date"]', 'meta[name="citation_online_date"]'],
    remove: ['.descriptor'],
  },
  {
    name: 'hacker-news',
    hosts: ['news.ycombinator.com'],
    where: '.fatitem',
    content: ['.fatitem .toptext', '.comment-tree .commtext'],
    title: ['.fatitem .titleline a', '.fatitem .title a'],
    author: ['.fatitem .hnuser'],
    date: ['.fatitem .age'],
  },
  {
    name: 'old-reddit',
    hosts: ['old.reddit.com'],
    where: '.linklisting .thing',
    content: ['.linklisting .thing .usertext-body', '.commentarea .usertext-body'],
    title: ['.linklisting .thing a.title'],
    author: ['.linklisting .thing .author'],
    date: ['.linklisting .thing time'],
  },
]

/** Read once somebody extracts something. */
export const SHIPPED_RULES: readonly SiteRule[] = RULES.map(parseSiteRule)
