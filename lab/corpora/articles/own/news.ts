import type { LabelledFixture } from './page.ts'

/** Newspapers, agencies, magazines: much around the text, much declared. */
export const NEWS: readonly LabelledFixture[] = [
  {
    name: 'newspaper with JSON-LD and a sidebar',
    url: 'https://www.harbourgazette.example/2024/03/14/ferry-line-returns',
    html: `<!doctype html><html lang="en-GB"><head><title>Ferry line returns after nine years | The Harbour Gazette</title>
<meta property="og:site_name" content="The Harbour Gazette"><meta property="og:title" content="Ferry line returns after nine years">
<script type="application/ld+json">{"@context":"https://schema.org","@type":"NewsArticle","headline":"Ferry line returns after nine years",
"datePublished":"2024-03-14T06:30:00+00:00","author":{"@type":"Person","name":"Moira Petrie"},"articleSection":"Transport"}</script></head>
<body><header><nav><a href="/">Home</a> <a href="/sport">Sport</a> <a href="/weather">Weather</a></nav></header>
<main><article><h1>Ferry line returns after nine years</h1><p class="byline">By <a rel="author" href="/people/petrie">Moira Petrie</a></p>
<div class="article-body"><p>The ferry between the old harbour and Sandness will sail again from Easter, the council said on Wednesday, after a
pause that began with a storm and ended, nine years later, with a vote of eleven to six.</p>
<p>Two ships, both bought second-hand in Norway, are being repainted in the dry dock. They carry forty cars each, and need a crew of five,
for whom the company has been advertising since January.</p>
<p>Islanders had collected four thousand signatures. "We were told to drive round," said Ian Laurenson, who keeps sheep on the other side.
"Round is a hundred and twelve miles, and it does not take sheep into account."</p></div></article>
<aside><h2>Most read</h2><ul><li><a href="/a">Lighthouse keeper retires</a></li><li><a href="/b">Herring quota cut</a></li></ul></aside></main>
<footer>© The Harbour Gazette. All rights reserved.</footer></body></html>`,
    expected: {
      title: 'Ferry line returns after nine years',
      author: 'Moira Petrie',
      date: '2024-03-14',
      language: 'en',
      has: 'Round is a hundred and twelve miles',
      hasNot: 'Herring quota cut',
    },
  },
  {
    name: 'German daily with a graph and references',
    url: 'https://www.talbote.example/lokales/bruecke-gesperrt-104.html',
    html: `<!DOCTYPE html><html lang="de"><head><meta charset="utf-8"><title>Brücke über die Aller gesperrt – Der Talbote</title>
<script type="application/ld+json">{"@context":"https://schema.org","@graph":[{"@type":"WebSite","@id":"#site","name":"Der Talbote"},
{"@type":"Person","@id":"#kf","name":"Katrin Feldhaus","jobTitle":"Redakteurin"},
{"@type":"Article","@id":"#a","headline":"Brücke über die Aller gesperrt","datePublished":"2023-11-02T17:05:00+01:00","author":{"@id":"#kf"}}]}</script></head>
<body><div class="teaserliste"><a href="/1">Wetter</a><a href="/2">Verkehr</a></div>
<div class="artikel"><h1>Brücke über die Aller gesperrt</h1>
<p>Wegen eines Risses im dritten Pfeiler ist die Brücke über die Aller seit dem Donnerstagmorgen für alle Fahrzeuge gesperrt. Das teilte die
Straßenmeisterei mit, die den Schaden bei einer gewöhnlichen Prüfung bemerkt hatte.</p>
<p>Fußgänger dürfen die Brücke weiterhin benutzen. Für Autos ist eine Umleitung über Winsen ausgeschildert, die den Weg um elf Kilometer
verlängert. Wie lange die Sperrung dauert, hängt davon ab, was die Taucher am Montag finden.</p>
<p>Der Bürgermeister sprach von einem Ärgernis, aber auch von Glück: „Niemand ist zu Schaden gekommen, und das ist das Wichtigste.“</p></div>
<div class="cookie-hinweis">Diese Seite verwendet Cookies.</div></body></html>`,
    expected: {
      title: 'Brücke über die Aller gesperrt',
      author: 'Katrin Feldhaus',
      date: '2023-11-02',
      language: 'de',
      has: 'Fußgänger dürfen die Brücke weiterhin benutzen',
    },
  },
  {
    name: 'French weekly, metadata in meta elements alone',
    url: 'https://lecourrier.example/culture/le-moulin',
    html: `<html lang="fr-FR"><head><meta charset=utf-8><title>Le moulin qui tourne à l'envers - Le Courrier</title>
<meta property="og:title" content="Le moulin qui tourne à l'envers"><meta name="author" content="Hélène Maurin">
<meta property="article:published_time" content="2022-08-19T09:12:00+02:00"><meta property="article:section" content="Culture"></head>
<body><div id="page"><div id="haut"><ul><li><a href="#">Une</a></li><li><a href="#">Culture</a></li></ul></div>
<div class="texte"><h1>Le moulin qui tourne à l'envers</h1><p class="chapo">Dans la vallée, un sculpteur a remis en marche la roue d'un moulin abandonné, mais dans l'autre sens.</p>
<p>On l'entend avant de le voir. La roue, haute comme une maison, prend l'eau par le dessous et la rejette par-dessus, ce que les gens du pays
trouvent d'abord absurde, puis, au bout d'un quart d'heure, tout à fait raisonnable.</p>
<p>Son auteur, qui a passé trois hivers à tailler les pales, refuse d'y voir une métaphore. « C'est une roue », dit-il, « et elle tourne ».
Les visiteurs, eux, restent longtemps sur le petit pont, et certains reviennent le lendemain.</p></div></div></body></html>`,
    expected: {
      title: "Le moulin qui tourne à l'envers",
      author: 'Hélène Maurin',
      date: '2022-08-19',
      language: 'fr',
      has: 'On l’entend avant de le voir'.replace('’', "'"),
    },
  },
  {
    name: 'Spanish agency, two authors in an array',
    url: 'https://agencia.example/noticias/448811',
    html: `<!doctype html><html lang="es"><head><title>El volcán vuelve a dormir</title>
<script type="application/ld+json">[{"@type":"BreadcrumbList","itemListElement":[]},{"@type":"ReportageNewsArticle","headline":"El volcán vuelve a dormir",
"datePublished":"2021-12-26","author":[{"@type":"Person","name":"Luisa Cabrera"},{"@type":"Person","name":"Andrés Soto"}]}]</script></head>
<body><section class="noticia"><h1>El volcán vuelve a dormir</h1><div class="cuerpo">
<p>Después de ochenta y cinco días, los sismógrafos de la isla llevan una semana en silencio, y los científicos se han permitido esta mañana
una palabra que hasta ahora evitaban: final.</p><p>Las coladas han sepultado casi tres mil edificios y han ganado al mar una superficie de cuarenta
y ocho hectáreas. En los barrios evacuados queda una capa de ceniza que, en algunos tejados, llega a los dos metros.</p>
<p>La vuelta será lenta, advierten las autoridades, porque todavía salen gases de las grietas y muchas carreteras ya no existen.</p></div></section>
<div class="compartir">Compartir en redes</div></body></html>`,
    expected: {
      title: 'El volcán vuelve a dormir',
      author: 'Luisa Cabrera, Andrés Soto',
      date: '2021-12-26',
      language: 'es',
      has: 'Las coladas han sepultado casi tres mil edificios',
    },
  },
  {
    name: 'Italian magazine with microdata',
    url: 'https://rivista.example/storie/orologi.html',
    html: `<html lang="it-IT"><head><title>L'uomo che ripara gli orologi delle torri | Rivista</title></head><body>
<article itemscope itemtype="https://schema.org/Article"><h1 itemprop="headline">L'uomo che ripara gli orologi delle torri</h1>
<span itemprop="author" itemscope itemtype="https://schema.org/Person">di <span itemprop="name">Paolo Ricci</span></span>
<time itemprop="datePublished" datetime="2020-02-07">7 febbraio</time>
<div itemprop="articleBody"><p>Ogni venerdì sale trecento gradini con una borsa di cuoio, e ogni venerdì, a metà della scala, si ferma a guardare i tetti. Poi
riprende, perché l'orologio di una torre, dice, non aspetta nessuno ma rallenta per tutti.</p><p>Ne cura ventisei, sparsi in una pianura che dall'alto sembra una tovaglia. Alcuni
li ha imparati dal padre, altri li ha trovati fermi da decenni, con le ruote piene di nidi e i pesi appoggiati al pavimento.</p>
<p>Il più vecchio è del Cinquecento e ha una sola lancetta. I turisti lo credono rotto; lui non li corregge.</p></div></article></body></html>`,
    expected: {
      title: "L'uomo che ripara gli orologi delle torri",
      author: 'Paolo Ricci',
      date: '2020-02-07',
      language: 'it',
      has: 'Ne cura ventisei',
    },
  },
  {
    name: 'headline cut for search engines',
    url: 'https://metrotimes.example/city/item?id=77',
    html: `<html lang="en"><head><title>Metro Times</title><meta property="og:title" content="City to replace every single one of its eleven thousand sodium street lamps with dimmable ones before the winter of 2026 begins">
<meta property="og:site_name" content="Metro Times"><script type="application/ld+json">{"@type":"NewsArticle","headline":"City to replace every single one of its eleven thousand sodium street lamps with dimmable ones...",
"datePublished":"Tue, 05 Aug 2025 14:00:00 GMT","author":"Priya Raman"}</script></head><body>
<div class="story"><h1>City to replace every single one of its eleven thousand sodium street lamps with dimmable ones before the winter of 2026 begins</h1>
<p>The orange glow that has coloured the nights of this city since 1971 is about to go, street by street, beginning with the hills in the north.</p>
<p>Engineers expect to save two thirds of the current, and astronomers at the university expect to see the Milky Way again. Neither
group has been able to convince the owners of the photography shop on Mill Lane, who sell a calendar of orange streets.</p>
<p>The council has promised to leave six of the old lamps where they are, in front of the museum, and to light them on Sundays.</p></div></body></html>`,
    expected: {
      title:
        'City to replace every single one of its eleven thousand sodium street lamps with dimmable ones before the winter of 2026 begins',
      author: 'Priya Raman',
      date: '2025-08-05',
      language: 'en',
      has: 'astronomers at the university expect to see the Milky Way again',
    },
  },
  {
    name: 'AMP page',
    url: 'https://amp.coastalnews.example/amp/surf-school',
    html: `<!doctype html><html ⚡ lang="pt-BR"><head><meta charset="utf-8"><title>Escola de surfe abre turma para avós - Litoral</title>
<link rel="canonical" href="https://coastalnews.example/surf-school"><script async src="https://cdn.ampproject.org/v0.js"></script>
<style amp-custom>body{color:#222}</style><script type="application/ld+json">{"@type":"NewsArticle","headline":"Escola de surfe abre turma para avós","author":{"name":"Bruna Teles"},"datePublished":"2019-01-20T08:00:00-02:00"}</script></head>
<body><amp-sidebar id="menu"><ul><li><a href="/">Início</a></li></ul></amp-sidebar><article><h1>Escola de surfe abre turma para avós</h1>
<amp-img src="/img/avos.jpg" width="1200" height="800" layout="responsive"></amp-img>
<p>Aos setenta e três anos, dona Lurdes ficou de pé na prancha pela primeira vez no sábado, por quatro segundos, e diz que foram os mais longos da sua vida.</p>
<p>A turma, que começou com três alunas e hoje tem dezenove, reúne-se às sete da manhã, quando o mar está calmo e os netos ainda dormem. O
professor adaptou o aquecimento, trocou as pranchas por modelos mais largos e aprendeu a esperar.</p>
<p>Segundo a escola, ninguém desistiu até agora. A fila de espera já passa de cem nomes.</p></article></body></html>`,
    expected: {
      title: 'Escola de surfe abre turma para avós',
      author: 'Bruna Teles',
      date: '2019-01-20',
      language: 'pt',
      has: 'A turma, que começou com três alunas',
      hasNot: 'Início',
    },
  },
  {
    name: 'Dutch site, author and date only in the visible line',
    url: 'https://dorpskrant.example/artikel/9921',
    html: `<!doctype html><html><head><meta charset="utf-8"><title>Molenaar zoekt opvolger</title></head><body><div class="wrap"><h1>Molenaar zoekt opvolger</h1>
<div class="meta"><span class="author">Door Joost van Dam</span> <span class="date">12 mei 2018</span></div>
<p>Na eenenveertig jaar wil de molenaar van de Zwaan met pensioen, maar niet voordat hij iemand heeft gevonden die de wind net zo goed begrijpt als hij. Dat valt tegen.</p>
<p>Er kwamen zes brieven. Twee schrijvers hadden hoogtevrees, één wilde van de molen een restaurant maken, en een vierde vroeg of er ook in
het weekeinde gemalen moest worden. "De wind kent geen weekeinde," zegt de molenaar.</p>
<p>De gemeente betaalt de opleiding, die drie jaar duurt. Wie wil, kan zich melden aan de voet van de molen, liefst bij noordwestenwind.</p></div></body></html>`,
    expected: {
      title: 'Molenaar zoekt opvolger',
      author: 'Joost van Dam',
      date: '2018-05-12',
      language: 'nl',
      has: 'Er kwamen zes brieven',
    },
  },
  {
    name: 'list of articles in JSON-LD, of which one is the page',
    url: 'https://fieldnotes.example/nature/otters-back',
    html: `<html lang="en-US"><head><title>Otters are back in the Miller river - Field Notes</title><link rel="canonical" href="https://fieldnotes.example/nature/otters-back">
<script type="application/ld+json">[{"@type":"NewsArticle","url":"https://fieldnotes.example/nature/bees","headline":"Bees in the bell tower","author":{"name":"Someone Else"},"datePublished":"2010-01-01"},
{"@type":"NewsArticle","mainEntityOfPage":{"@id":"https://fieldnotes.example/nature/otters-back"},"headline":"Otters are back in the Miller river","author":{"name":"Dana Whitlock"},"datePublished":"2016-10-30T12:00:00Z"}]</script></head>
<body><article><h1>Otters are back in the Miller river</h1><p>A trail camera below the weir has filmed three otters, two of them young, in the first hours of Sunday. It is the first
proof in sixty-one years that the animals breed in the Miller river.</p><p>Biologists had found tracks in the spring, and droppings in the summer, but kept the place to themselves. "You do not want a hundred
people with flashlights," said Tom Arkin, who put up the camera.</p><p>The water has been clean enough since the tannery closed. What was missing, it seems, was time.</p></article></body></html>`,
    expected: {
      title: 'Otters are back in the Miller river',
      author: 'Dana Whitlock',
      date: '2016-10-30',
      language: 'en',
      has: 'A trail camera below the weir',
    },
  },
  {
    name: 'live coverage, date in milliseconds',
    url: 'https://nordavisa.example/direkte/skred',
    html: `<html lang="nb"><head><title>Skredet stengte fylkesveien</title><meta name="pubdate" content="1550491200000"><meta name="byl" content="Av Ingrid Solheim"></head>
<body><div class="content"><h1>Skredet stengte fylkesveien</h1><p>Et stort snøskred gikk natt til mandag over fylkesveien mellom Vik og Sunde, og ingen biler slipper fram. Politiet melder at ingen er tatt av skredet.</p>
<p>Veivesenet regner med at det tar minst to døgn å rydde, fordi snøen er blandet med stein og trær. Ferjen går i mellomtiden hver halvtime,
og skolebarna på østsiden får fri til onsdag, noe ikke alle foreldre er like glade for.</p>
<p>Geologer skal fly over fjellet så snart tåken letter. Faren for nye skred er stor, og folk bes holde seg unna.</p></div></body></html>`,
    expected: {
      title: 'Skredet stengte fylkesveien',
      author: 'Ingrid Solheim',
      date: '2019-02-18',
      language: 'nb',
      has: 'Veivesenet regner med at det tar minst to døgn',
    },
  },
]
