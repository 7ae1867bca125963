import type { LabelledFixture } from './page.ts'

/** Blogs, by hand and by program: little declared, every layout. */
export const BLOGS: readonly LabelledFixture[] = [
  {
    name: 'microformats',
    url: 'https://tinkerer.example/2023/clock',
    html: `<!doctype html><html lang=en><head><title>A clock without hands</title></head><body><article class="h-entry"><h1 class="p-name">A clock without hands</h1>
<p>Posted <time class="dt-published" datetime="2023-05-21 20:15:00">on a rainy Sunday</time> by <a class="p-author h-card" href="/">Wanda Kessler</a></p>
<div class="e-content"><p>I have been meaning to build a clock that tells the time by the colour of a single lamp, and this weekend the rain left me no excuse. It is blue at night,
turns to green around breakfast, and is red when I should have gone home.</p><p>The parts are the usual ones: a small computer that nobody will miss, a strip of lights of which I use exactly one, and a power supply that has
outlived three gadgets. The code is forty lines long, and half of them are comments about time zones.</p><p>After two days I can read it to a quarter of an hour. My cat, I believe, does better.</p></div></article>
<section class="comments"><h2>3 comments</h2><p class="comment">Nice! How do you tell dusk from dawn, and what happens when somebody switches on the ceiling lamp?</p></section></body></html>`,
    expected: {
      title: 'A clock without hands',
      author: 'Wanda Kessler',
      date: '2023-05-21',
      language: 'en',
      has: 'My cat, I believe, does better',
      hasNot: 'switches on the ceiling lamp',
    },
  },
  {
    name: 'WordPress theme with tags and related posts',
    url: 'https://breadlog.example/2017/09/03/sourdough-in-a-cold-house/',
    html: `<!DOCTYPE html><html lang="en-US" class="no-js"><head><title>Sourdough in a cold house &#8211; Bread Log</title><meta name="generator" content="WordPress 4.8"></head>
<body class="single"><div id="content" class="site-content"><article id="post-41" class="post hentry"><header class="entry-header"><h1 class="entry-title">Sourdough in a cold house</h1>
<div class="entry-meta"><span class="posted-on"><time class="entry-date published" datetime="2017-09-03T10:44:12+00:00">September 3, 2017</time></span><span class="byline"> by <span class="author vcard"><a class="url fn n" href="/author/mo">Mo Abernathy</a></span></span></div></header>
<div class="entry-content"><p>Our kitchen has fifteen degrees from October to April, and every recipe that begins with &#8220;leave at room temperature&#8221; is a joke at my expense. So I have kept notes for two winters.</p>
<p>The short version: feed the starter with warm water, use a third more of it, and give the dough the whole night instead of three hours. It will look as if nothing had happened until about five in the morning, when everything happens.</p>
<p>A box of polystyrene with a bottle of hot water in it works as well as the machine that a neighbour paid two hundred for. Mine came with fish in it.</p></div>
<footer class="entry-footer"><span class="tags-links"><a href="/tag/rye" rel="tag">rye</a></span></footer></article>
<div class="related-posts"><h3>Related</h3><p>Baking with grandmother's tins and other accidents that turned out well in the end</p></div></div></body></html>`,
    expected: {
      title: 'Sourdough in a cold house',
      author: 'Mo Abernathy',
      date: '2017-09-03',
      language: 'en',
      has: 'Mine came with fish in it',
      hasNot: "grandmother's tins",
    },
  },
  {
    name: 'old table layout with fonts and line breaks',
    url: 'http://members.example/~radio/tubes.htm',
    html: `<HTML><HEAD><TITLE>Repairing a tube radio</TITLE><META NAME="Author" CONTENT="Gus Halloran"><META NAME="Date" CONTENT="2001-04-16"></HEAD>
<BODY BGCOLOR="#FFFFFF"><TABLE WIDTH=700 CELLPADDING=4><TR><TD WIDTH=120 VALIGN=top><A HREF="index.htm">Home</A><BR><A HREF="links.htm">Links</A></TD><TD>
<FONT FACE="Arial" SIZE=5><B>Repairing a tube radio</B></FONT><BR><BR><FONT FACE="Arial" SIZE=2>When an old set hums but does not speak, the first thing to look at is not a tube at all but the big capacitor next to the
transformer. They dry out, whether the radio is used or not, and after fifty years nearly all of them have.<BR><BR>Pull the plug, wait, and then wait again: what is stored in there can throw you across the
room. I short it with a resistor on a long stick, and I keep one hand in my pocket, as my father taught me.<BR><BR>If the new part is in and the hum is gone, turn the volume up slowly. The crackle that you hear is dust in the
control, and a drop of spirit will cure it. The voice that comes next has been waiting since 1954.</FONT></TD></TR></TABLE></BODY></HTML>`,
    contentType: 'text/html',
    expected: {
      title: 'Repairing a tube radio',
      author: 'Gus Halloran',
      date: '2001-04-16',
      language: 'en',
      has: 'I keep one hand in my pocket',
    },
  },
  {
    name: 'static site, title with the name of the site, date as text under the heading',
    url: 'https://kernelpath.example/posts/page-tables/',
    html: `<!doctype html><html><head><meta charset="utf-8"><title>Walking page tables by hand | kernelpath</title><meta property="og:site_name" content="kernelpath"></head><body><header><a href="/">kernelpath</a></header>
<main><h1>Walking page tables by hand</h1><p><small>November 8, 2020 · 6 min read</small></p><p>Every explanation of virtual memory that I have read begins with a picture of a tree, and every one of them loses me at the third level. So here
is the walk, done once, with real numbers from a real crash.</p><p>Take the address apart into four groups of nine bits and a remainder of twelve. Each group is an index; each index leads to eight bytes; each eight bytes hold the address of
the next table and a handful of flags. If the lowest flag is not set, the walk is over, and so is your program.</p><pre><code>entry = table[index] &amp; ~0xfff</code></pre>
<p>Mine ended at the second level. Somebody had freed a page and kept on smiling at it, and that somebody turned out to be me.</p></main></body></html>`,
    expected: {
      title: 'Walking page tables by hand',
      author: null,
      date: '2020-11-08',
      language: 'en',
      has: 'Take the address apart into four groups of nine bits',
    },
  },
  {
    name: 'nothing declared, no heading at all',
    url: 'https://plain.example/2014/12/24/snow.html',
    html: `<title>Snow on the line</title><p>The train stopped between two villages, and for a while nobody minded, because the heating was on and the snow looked the way it does on cards. Then the light went out.</p>
<p>A man with a violin case said that he would not play, and after an hour he played. It was nothing that anybody knew, and it went on until the engine came from the other side and pulled us backwards,
slowly, to where we had come from.</p><p>I have taken that train many times since. I always look for the case.</p>`,
    expected: {
      title: 'Snow on the line',
      author: null,
      date: '2014-12-24',
      language: 'en',
      has: 'A man with a violin case',
    },
  },
  {
    name: 'divs that are paragraphs, hashed class names',
    url: 'https://journal.example/p/quiet-machines',
    html: `<html lang="en"><head><title>Quiet machines</title><meta name="twitter:label1" content="Written by"><meta name="twitter:data1" content="Sunita Rao"><meta property="article:published_time" content="2024-07-01T00:00:00.000Z"></head>
<body><div class="css-1x2y"><div class="css-aa9 topbar"><span>Sign in</span><span>Get started</span></div><div class="css-77f"><h1 class="css-1">Quiet machines</h1>
<div class="css-p"><div class="css-q">The best appliance I own is one that I forgot. It sits under the sink, filters the water, and has asked for my attention exactly twice in eleven years, both times politely.</div>
<div class="css-q">Compare that with the kettle that wants to be updated, or the scale that would like to know where I am. Somewhere between the two, I think, lies a line that our trade crossed without
looking, on the day when somebody found that attention could be counted.</div><div class="css-q">A quiet machine is not a stupid one. It is one whose maker has thought about my day, and decided not to be in it.</div></div></div></div></body></html>`,
    expected: {
      title: 'Quiet machines',
      author: 'Sunita Rao',
      date: '2024-07-01',
      language: 'en',
      has: 'A quiet machine is not a stupid one',
      hasNot: 'Get started',
    },
  },
  {
    name: 'Swedish diary, date written out',
    url: 'https://dagbok.example/inlagg/31',
    html: `<html lang="sv"><head><title>Dagbok från skärgården: Isen ligger</title></head><body><div id="sidhuvud"><a href="/">Dagbok från skärgården</a></div><div class="inlagg"><h2>Isen ligger</h2><div class="datum post-date">den 3 februari 2013</div>
<p>I natt frös viken till, utan ett ljud, och när jag kom ner till bryggan i morse stod båten som ingjuten i glas. Grannen var redan ute och knackade med sin pik, tre centimeter sa han, vänta till helgen.</p>
<p>Posten kommer nu med hydrokoptern, när den kommer. Vi har potatis, kaffe och ved, och radion säger att det blir kallare. Det är den bästa tiden på året, även om ingen av oss skulle säga det högt till dem som bara kommer hit på sommaren.</p>
<p>På kvällen gick vi med lyktor längs stranden. Isen sjöng, långt ute, som den gör när den växer.</p><p class="sign">Skrivet av <span class="author">Gunilla Ek</span></p></div></body></html>`,
    expected: {
      title: 'Isen ligger',
      author: 'Gunilla Ek',
      date: '2013-02-03',
      language: 'sv',
      has: 'Posten kommer nu med hydrokoptern',
    },
  },
  {
    name: 'Polish blog with Dublin Core',
    url: 'https://szlak.example/bieszczady',
    html: `<html xml:lang="pl"><head><meta charset="utf-8"><title>Trzy dni w Bieszczadach</title><meta name="DC.title" content="Trzy dni w Bieszczadach"><meta name="DC.creator" content="Marek Zieliński"><meta name="DC.date.issued" content="2015-10-11"></head><body>
<div class="tresc"><h1>Trzy dni w Bieszczadach</h1><p>Wyszliśmy o świcie, we mgle tak gęstej, że szlak było widać tylko na dwa kroki przed sobą. Dopiero na połoninie wiatr rozerwał chmury i zobaczyliśmy, jak daleko jeszcze mamy do schroniska.</p>
<p>Drugiego dnia spotkaliśmy jednego człowieka i siedem jeleni. Człowiek spytał o pogodę, jelenie nie. W schronisku dostaliśmy barszcz, który gotował się chyba od wiosny, i nikt z nas nie jadł nigdy lepszego.</p>
<p>Ostatni odcinek szliśmy w ciszy. Każdy z nas liczył coś innego: kilometry, godziny, lata od poprzedniego razu.</p></div></body></html>`,
    expected: {
      title: 'Trzy dni w Bieszczadach',
      author: 'Marek Zieliński',
      date: '2015-10-11',
      language: 'pl',
      has: 'Drugiego dnia spotkaliśmy jednego człowieka',
    },
  },
  {
    name: 'photo essay with captions and a pixel',
    url: 'https://lens.example/essay/market',
    html: `<html lang="en"><head><title>The last fish market - Lens</title><meta property="og:title" content="The last fish market"><meta property="og:image" content="/i/market.jpg"><meta property="og:image:width" content="1600"><meta property="og:image:height" content="900">
<script type="application/ld+json">{"@type":"BlogPosting","headline":"The last fish market","datePublished":"2018-06-30T05:00:00+09:00","author":{"@type":"Person","name":"Theo Brandt"}}</script></head><body><article><h1>The last fish market</h1>
<img src="https://count.example/p.gif" width="1" height="1"><figure><img src="/i/market.jpg" width="1600" height="900"><figcaption>Half past three</figcaption></figure>
<p>They start at half past three, when the street outside is still warm from the day before, and by six it is over. In October the halls will move across the bay, to a building with glass galleries for visitors.</p>
<p>I went there forty mornings in a row with one lens and no flash. At first they shouted at me, as they shout at everybody; in the third week a man with a hook the length of my arm handed me a cup of tea.</p>
<p>What I wanted to keep is not the fish. It is the way in which four hundred people move through a space for forty, and nobody is ever touched.</p></article></body></html>`,
    expected: {
      title: 'The last fish market',
      author: 'Theo Brandt',
      date: '2018-06-29',
      language: 'en',
      has: 'forty mornings in a row with one lens',
    },
  },
  {
    name: 'text that scripts fill in, whole in JSON-LD',
    url: 'https://app.example/story/lighthouse',
    html: `<!doctype html><html lang="en"><head><title>Lighthouse for sale</title><script type="application/ld+json">{"@context":"https://schema.org","@type":"Article","headline":"Lighthouse for sale","author":[{"@type":"Person","name":"Rhona Blythe"}],"datePublished":"2022-02-22T22:22:00Z",
"articleBody":"The lighthouse at Skerry Point is for sale, with everything that belongs to it: four rooms, one above the other, a hundred and three steps, and a garden in which nothing has ever stood upright.\\n\\nThe lamp is not included. It has been automatic since 1989, belongs to the state, and will go on turning through the night, whoever sleeps below it. The agent calls this a feature.\\n\\nOffers are accepted until the end of March, and visits are possible whenever the sea allows it."}</script></head>
<body><div id="root"></div><noscript>You need to enable JavaScript to run this app.</noscript><script src="/main.js"></script></body></html>`,
    expected: {
      title: 'Lighthouse for sale',
      author: 'Rhona Blythe',
      date: '2022-02-22',
      language: 'en',
      has: 'It has been automatic since 1989',
      hasNot: 'enable JavaScript',
    },
  },
]
