import type { LabelledFixture } from './page.ts'

/** Forums, questions, documentation, releases, encyclopaedias: pages that are not one text by one person. */
export const DISCUSSIONS: readonly LabelledFixture[] = [
  {
    name: 'Discourse topic as crawlers get it',
    url: 'https://talk.gardeners.example/t/slugs/812',
    html: `<!DOCTYPE html><html lang="en"><head><title>Slugs ate my salad - Advice - Gardeners Talk</title><meta name="generator" content="Discourse 3.1.0"><meta property="og:title" content="Slugs ate my salad"><meta property="og:site_name" content="Gardeners Talk"><meta property="article:published_time" content="2023-06-11T07:20:00+00:00"></head><body>
<div itemscope itemtype="http://schema.org/DiscussionForumPosting"><div id="post_1" class="topic-body crawler-post"><div class="crawler-post-meta"><span class="creator" itemprop="author" itemscope><a href="/u/pia"><span itemprop="name">pia_w</span></a></span></div>
<div class="post" itemprop="text"><p>Overnight they finished a whole row of lettuce, and left me a trail that leads straight to the compost. What do you do that does not involve poison, copper, or getting up at two?</p></div></div>
<div id="post_2" class="topic-body crawler-post"><div class="post" itemprop="text"><p>Two boards, laid flat between the rows in the evening. In the morning they are all underneath, and you can decide what to do with them. I drive mine to the forest.</p></div></div></div>
<div class="suggested"><a href="/t/1">Tomatoes that split</a><a href="/t/2">When to prune</a></div></body></html>`,
    expected: {
      title: 'Slugs ate my salad',
      author: 'pia_w',
      date: '2023-06-11',
      language: 'en',
      has: 'I drive mine to the forest',
      hasNot: 'Tomatoes that split',
    },
  },
  {
    name: 'phpBB thread',
    url: 'https://bikes.example/viewtopic.php?t=55',
    html: `<html dir="ltr" lang="en-gb"><head><title>Squeaking bottom bracket - Old Bikes</title></head><body id="phpbb" class="section-viewtopic"><h2 class="topic-title"><a href="#">Squeaking bottom bracket</a></h2>
<div class="post"><div class="postbody"><p class="author">by <strong><a class="username" href="#">ratchet</a></strong> » <time datetime="2019-08-04T18:11:00+00:00">Sun Aug 04, 2019</time></p><div class="content">Mine squeaks on every left stroke, but only when it is warm, and only uphill. I have greased the cups, changed the bearings, and had the whole thing apart on the kitchen table three times, to the joy of everybody else here.</div><div class="signature">Life is like a ten-speed.</div></div></div>
<div class="post"><div class="postbody"><p class="author">by <a class="username" href="#">old_tom</a></p><div class="content">It is the saddle post. It is always the saddle post. Take it out, wipe it, a thin film of grease, back in, and come here to tell us that I was right.</div></div></div></body></html>`,
    expected: {
      title: 'Squeaking bottom bracket',
      author: 'ratchet',
      date: '2019-08-04',
      language: 'en',
      has: 'It is always the saddle post',
      hasNot: 'Life is like a ten-speed',
    },
  },
  {
    name: 'question and answers',
    url: 'https://cooking.stackexchange.com/questions/1/why-salt',
    html: `<html><head><title>Why salt the water before it boils? - Seasoned Advice Stack Exchange</title></head><body><div id="question-header"><h1 itemprop="name"><a href="#">Why salt the water before it boils?</a></h1></div>
<div id="question"><div class="js-post-body"><p>My grandmother salts the water when it is cold, my cook book says when it boils, and the pan maker says never, because it stains. Who is right, and does anybody taste a difference?</p></div><div class="owner"><time itemprop="dateCreated" datetime="2011-03-09T12:00:00Z">9 Mar</time><div class="user-details"><a href="/u/1">Noor Haddad</a></div></div></div>
<div class="answer"><div class="js-post-body"><p>All three, in a way. Salt crystals that lie on the bottom of a cold steel pan can pit it, so wait until it moves. For the taste it makes no difference at all, as long as the salt is in before the pasta is.</p></div></div>
<div id="sidebar"><h4>Hot network questions</h4><ul><li>Is a hot dog a sandwich?</li></ul></div></body></html>`,
    expected: {
      title: 'Why salt the water before it boils?',
      author: 'Noor Haddad',
      date: '2011-03-09',
      language: 'en',
      has: 'can pit it, so wait until it moves',
      hasNot: 'Is a hot dog a sandwich?',
    },
  },
  {
    name: 'Sphinx documentation',
    url: 'https://docs.example/en/latest/retry.html',
    html: `<html lang="en"><head><title>Retrying requests — Courier 2.4 documentation</title><meta name="generator" content="Docutils 0.19"></head><body><div class="sphinxsidebar"><h3>Table of contents</h3><ul><li><a href="a">Installing</a></li><li><a href="b">Retrying</a></li></ul></div>
<div class="document"><div class="body" role="main"><section><h1>Retrying requests<a class="headerlink" href="#x">¶</a></h1><p>A request that fails for a reason which may pass is sent again, up to the number of times given by <code>retries</code>. What may pass is a closed connection, a status of 502 to 504, and a name that could not be resolved.</p>
<p>Between two attempts the client waits, twice as long each time, with a random part of a third so that a thousand clients that failed together do not come back together.</p><div class="highlight"><pre>client = Client(retries=4)</pre></div></section></div></div></body></html>`,
    expected: {
      title: 'Retrying requests',
      author: null,
      date: null,
      language: 'en',
      has: 'twice as long each time',
      hasNot: 'Installing',
    },
  },
  {
    name: 'encyclopaedia',
    url: 'https://wiki.example/wiki/Tide_mill',
    html: `<!DOCTYPE html><html lang="en" dir="ltr"><head><title>Tide mill - Wiki</title><meta name="generator" content="MediaWiki 1.41.0"></head><body><h1 id="firstHeading">Tide mill</h1><div id="bodyContent"><div id="mw-content-text" lang="en"><div class="mw-parser-output"><table class="infobox"><tr><td>Kind</td><td>Water mill</td></tr></table>
<p>A <b>tide mill</b> is a water mill that is driven by the rise and fall of the sea.<sup class="reference">[1]</sup> A dam with a gate is built across an inlet; the flood opens the gate and fills the pond, and when the sea has fallen the water is let out over the wheel.</p>
<h2>History<span class="mw-editsection">[<a href="#">edit</a>]</span></h2><p>The oldest one that has been dug up stood on the coast of an island monastery and was built in the year 619. They ground for as long as the moon allowed, which is to say at another hour every day, and millers slept accordingly.</p>
<div class="navbox">Mills: wind mill, horse mill, ship mill</div></div></div></div></body></html>`,
    expected: {
      title: 'Tide mill',
      author: null,
      date: null,
      language: 'en',
      has: 'millers slept accordingly',
      hasNot: 'horse mill, ship mill',
    },
  },
  {
    name: 'release notes in a repository',
    url: 'https://github.com/example/paddle/releases/tag/v3.0.0',
    html: `<html lang="en"><head><title>Release v3.0.0 · example/paddle</title><meta property="og:title" content="Release v3.0.0 · example/paddle"></head><body><nav><a href="/">Code</a><a href="/i">Issues</a></nav><div class="release"><h1>v3.0.0</h1><relative-time datetime="2024-01-30T16:45:00Z">Jan 30</relative-time>
<div class="markdown-body"><h2>What is new</h2><ul><li>The parser reads files of any size in constant memory, which was the most frequent wish.</li><li>Configuration moved from three files into one; the old ones are read for another year, with a warning.</li></ul><p>Thanks to everybody who tried the candidates and told us what broke, in particular on machines that we do not have.</p></div></div></body></html>`,
    expected: {
      title: 'Release v3.0.0 · example/paddle',
      author: null,
      date: '2024-01-30',
      language: 'en',
      has: 'in constant memory',
    },
  },
  {
    name: 'preprint server',
    url: 'https://arxiv.org/abs/2401.00001',
    html: `<html lang="en"><head><title>[2401.00001] Counting Waves</title><meta name="citation_title" content="Counting Waves"><meta name="citation_author" content="Okafor, Ada"><meta name="citation_author" content="Lind, Per"><meta name="citation_date" content="2024/01/02"></head><body><div id="abs"><h1 class="title"><span class="descriptor">Title:</span>Counting Waves</h1><div class="authors"><a href="#">Ada Okafor</a>, <a href="#">Per Lind</a></div>
<blockquote class="abstract"><span class="descriptor">Abstract:</span>We ask how many waves reach a beach in an hour, and show that the answer depends on who counts. A panel of forty observers, given the same film, differs by a factor of three; an estimator that models the observer reduces this to one part in ten. We discuss what that means for coasts where only one observer can be paid.</blockquote></div><div class="submission-history">Submitted</div></body></html>`,
    expected: {
      title: 'Counting Waves',
      author: 'Okafor, Ada, Lind, Per',
      date: '2024-01-02',
      language: 'en',
      has: 'A panel of forty observers',
    },
  },
  {
    name: 'recipe',
    url: 'https://kueche.example/rezept/linsensuppe',
    html: `<html lang="de-AT"><head><title>Linsensuppe mit Essig - Meine Küche</title><script type="application/ld+json">{"@context":"https://schema.org","@type":"Recipe","name":"Linsensuppe mit Essig","author":{"@type":"Person","name":"Rosa Wimmer"},"datePublished":"2021-01-05"}</script></head><body><div class="rezept"><h1>Linsensuppe mit Essig</h1>
<p>Diese Suppe kochte meine Tante am ersten Werktag des Jahres, weil Linsen Geld bringen sollen und weil nach den Feiertagen ohnehin keines mehr da war. Sie wird am zweiten Tag besser und am dritten noch einmal.</p><ul><li>250 g Tellerlinsen</li><li>zwei Karotten</li><li>ein Schuss Essig</li></ul>
<p>Die Linsen über Nacht einweichen, mit den Karotten weich kochen und zum Schluss, wenn der Topf schon vom Feuer ist, den Essig einrühren. Wer ihn zu früh zugibt, wartet lange, denn Säure hält die Linsen hart.</p></div></body></html>`,
    expected: {
      title: 'Linsensuppe mit Essig',
      author: 'Rosa Wimmer',
      date: '2021-01-05',
      language: 'de',
      has: 'Säure hält die Linsen hart',
    },
  },
  {
    name: 'press release with a dateline',
    url: 'https://ministry.example/press/2020/118',
    html: `<html lang="en-CA"><head><title>New rail bridge opens to freight | Ministry of Works</title><meta name="dcterms.issued" content="2020-09-18"><meta name="dcterms.creator" content="Ministry of Works"></head><body><main property="mainContentOfPage"><h1>New rail bridge opens to freight</h1>
<p><b>OTTERVALE, September 18, 2020</b> - The first freight train crossed the new bridge over the Otter this morning, eleven weeks ahead of plan. The old bridge, built in 1908, remains open to passengers until the spring.</p>
<p>"This crossing takes four hundred trucks a day off the highway," said the Minister. "It is also, if I may say so, a beautiful thing, and I recommend the view from the north bank to everybody with an hour to spare."</p><p>The work cost 212 million dollars and employed nine hundred people.</p></main></body></html>`,
    expected: {
      title: 'New rail bridge opens to freight',
      author: 'Ministry of Works',
      date: '2020-09-18',
      language: 'en',
      has: 'eleven weeks ahead of plan',
    },
  },
  {
    name: 'letter archive of a mailing list',
    url: 'https://lists.example/pipermail/dev/2009-June/000412.html',
    html: `<HTML><HEAD><TITLE>[dev] Removing the old allocator</TITLE><META http-equiv="Content-Type" content="text/html; charset=us-ascii"></HEAD><BODY><H1>[dev] Removing the old allocator</H1><B>Ulla Bergman</B> <I>ulla at lists.example</I><BR><I>Mon Jun 15 21:04:17 CEST 2009</I><HR>
<PRE>Hello all,

I would like to remove the old allocator in the next release. It has been off by default for
three years, nobody has reported a platform that needs it, and two of the four bugs that we
fixed this month were in code which exists only to keep it alive.

If you know of a reason to keep it, please say so before the end of the month. If you do not
know of one but feel attached to it, as I do, please come to the meeting and bring cake.

Ulla</PRE></BODY></HTML>`,
    contentType: 'text/html',
    expected: {
      title: '[dev] Removing the old allocator',
      author: null,
      date: '2009-06-15',
      language: 'en',
      has: 'nobody has reported a platform that needs it',
    },
  },
]
