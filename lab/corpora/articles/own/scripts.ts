import type { LabelledFixture } from './page.ts'

/** Other scripts and charsets; languages that nobody declares, or that a template declares wrongly. */
export const SCRIPTS: readonly LabelledFixture[] = [
  {
    name: 'Japanese in Shift_JIS',
    url: 'https://machi.example/kiji/20190412.html',
    charset: 'shift_jis',
    contentType: 'text/html',
    html: `<html lang="ja"><head><meta http-equiv="Content-Type" content="text/html; charset=Shift_JIS"><title>商店街の時計が動き出す</title><meta name="author" content="高橋由美"></head><body><div id="menu"><a href="/">トップ</a></div><div class="kiji"><h1>商店街の時計が動き出す</h1><p class="date">2019年4月12日</p>
<p>十年間止まっていた商店街の大時計が、きのうの正午、ふたたび鐘を鳴らした。修理したのは、隣町で時計店を営む七十八歳の職人で、部品の半分は自分で削ったという。</p><p>集まった人たちは、最初の鐘が鳴ると拍手をし、十二回目が鳴り終わるまで誰も帰らなかった。子どもたちは、この時計が動くところを見るのは初めてである。</p><p>職人は「時計は直せるが、時間は直せない」と笑った。来月からは毎週土曜日に、塔の中を見学できるようになる。</p></div></body></html>`,
    expected: {
      title: '商店街の時計が動き出す',
      author: '高橋由美',
      date: '2019-04-12',
      language: 'ja',
      has: '部品の半分は自分で削った',
    },
  },
  {
    name: 'Russian in windows-1251, charset in the header alone',
    url: 'https://gorod.example/novosti/most',
    charset: 'windows-1251',
    contentType: 'text/html; charset=windows-1251',
    html: `<html lang="ru"><head><title>Мост открыли раньше срока</title><meta property="article:published_time" content="2018-05-15T11:00:00+03:00"></head><body><div class="text"><h1>Мост открыли раньше срока</h1><div class="author">Автор: Ирина Соколова</div>
<p>Первые автомобили проехали по новому мосту во вторник утром, на полгода раньше, чем обещали строители. Движение по старому мосту закроют только осенью, когда закончится туристический сезон.</p><p>Жители правого берега теперь доберутся до центра за десять минут вместо сорока. Автобусы пойдут по новому маршруту со следующей недели, и расписание уже висит на остановках.</p><p>На открытие пришли сотни людей. Некоторые прошли по мосту пешком, туда и обратно, просто чтобы посмотреть на реку сверху.</p></div></body></html>`,
    expected: {
      title: 'Мост открыли раньше срока',
      author: 'Ирина Соколова',
      date: '2018-05-15',
      language: 'ru',
      has: 'Жители правого берега теперь доберутся',
    },
  },
  {
    name: 'Arabic, right to left',
    url: 'https://sahifa.example/thaqafa/maktaba',
    html: `<!doctype html><html lang="ar" dir="rtl"><head><meta charset="utf-8"><title>مكتبة على ظهر حمار - الصحيفة</title><meta property="og:title" content="مكتبة على ظهر حمار"><script type="application/ld+json">{"@type":"NewsArticle","headline":"مكتبة على ظهر حمار","author":{"@type":"Person","name":"سلمى الخطيب"},"datePublished":"2022-03-03T10:00:00+02:00"}</script></head><body><article><h1>مكتبة على ظهر حمار</h1>
<p>كل صباح سبت يخرج المعلم من القرية ومعه حمار يحمل صندوقين من الكتب، ويسير في الجبال حتى يصل إلى قرى لا تصل إليها السيارات. هناك ينتظره الأطفال منذ الفجر.</p><p>بدأ المشروع قبل خمس سنوات بثلاثين كتاباً من مكتبته الخاصة، واليوم صار عنده أكثر من ألفين، جاء معظمها هدايا من قراء لا يعرفهم. ويقول إن الكتاب الأكثر طلباً هو كتاب عن النجوم.</p><p>أما الحمار فقد أصبح مشهوراً، ويعرفه الأطفال باسمه، ويخافون عليه من الشتاء.</p></article></body></html>`,
    expected: {
      title: 'مكتبة على ظهر حمار',
      author: 'سلمى الخطيب',
      date: '2022-03-03',
      language: 'ar',
      has: 'بدأ المشروع قبل خمس سنوات',
    },
  },
  {
    name: 'Chinese in GBK',
    url: 'https://xinwen.example/a/20200701/7.html',
    charset: 'gbk',
    contentType: 'text/html',
    html: `<html><head><meta charset="gb2312"><title>老茶馆重新开门_新闻网</title></head><body><div class="nav"><a href="/">首页</a></div><div class="article"><h1>老茶馆重新开门</h1><div class="info">2020年7月1日 <span class="author">作者：王小梅</span></div>
<p>关了整整一年的老茶馆，昨天早上六点又开了门。第一位客人是住在对面的老先生，他说自己每天都从窗户里看着这扇门，等它打开，等了三百六十五天。</p><p>茶馆还是原来的样子，桌子是旧的，椅子也是旧的，只有屋顶换了新的瓦。老板说，茶叶的价钱没有变，一碗两块钱，可以坐一整天，没有人会请你离开。</p><p>下午，几个年轻人也来了，他们拍了很多照片，然后把手机放下，安静地喝完了茶。</p></div></body></html>`,
    expected: {
      title: '老茶馆重新开门',
      author: '王小梅',
      date: '2020-07-01',
      language: 'zh',
      has: '茶馆还是原来的样子',
    },
  },
  {
    name: 'Korean, language declared by nobody',
    url: 'https://maeul.example/post/88',
    html: `<html><head><meta charset="utf-8"><title>섬마을 우체국의 마지막 날</title><meta property="article:published_time" content="2017-12-29T17:00:00+09:00"><meta name="author" content="박지훈"></head><body><div class="post-content"><h1>섬마을 우체국의 마지막 날</h1><p>오십 년 동안 섬사람들의 편지를 나르던 우체국이 어제 문을 닫았다. 마지막 손님은 서울에 있는 손자에게 말린 생선을 보내려는 할머니였다.</p><p>우체국장은 서른 해 동안 이 창구를 지켰다. 그는 집집마다 누가 사는지, 누가 떠났는지, 누구의 편지가 끊겼는지 모두 기억하고 있다. 이제 우편물은 배를 타고 육지로 가야 한다.</p><p>저녁이 되자 마을 사람들은 우체국 앞에 모여 막걸리를 나누었다. 간판은 떼지 않기로 했다.</p></div></body></html>`,
    expected: {
      title: '섬마을 우체국의 마지막 날',
      author: '박지훈',
      date: '2017-12-29',
      language: 'ko',
      has: '우체국장은 서른 해 동안',
    },
  },
  {
    name: 'Greek text in a template that says English',
    url: 'https://nisi.example/arthra/faros',
    html: `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Ο φάρος και η σιωπή</title><meta name="author" content="Ελένη Παππά"></head><body><div class="entry"><h1>Ο φάρος και η σιωπή</h1><time datetime="2016-09-09">9 Σεπτεμβρίου 2016</time><p>Ο τελευταίος φαροφύλακας του νησιού κατέβηκε στο λιμάνι πριν από είκοσι χρόνια, αλλά ακόμα ξυπνά κάθε βράδυ στις τρεις, την ώρα που έπρεπε να γυρίσει το μηχανισμό.</p><p>Το φως ανάβει πια μόνο του. Από το σπίτι του το βλέπει να περνά πάνω από τη θάλασσα, μία φορά κάθε δώδεκα δευτερόλεπτα, και μετρά χωρίς να το θέλει. Αν κάποτε αργήσει, λέει, θα το καταλάβει πρώτος.</p><p>Το καλοκαίρι ανεβαίνουν τουρίστες για το ηλιοβασίλεμα. Τον χειμώνα δεν ανεβαίνει κανείς, μόνο ο άνεμος.</p></div></body></html>`,
    expected: {
      title: 'Ο φάρος και η σιωπή',
      author: 'Ελένη Παππά',
      date: '2016-09-09',
      language: 'el',
      has: 'Το φως ανάβει πια μόνο του',
    },
  },
  {
    name: 'Hebrew',
    url: 'https://iton.example/k/gan',
    html: `<html lang="he" dir="rtl"><head><meta charset="utf-8"><title>הגינה שעל הגג</title><meta property="og:title" content="הגינה שעל הגג"><meta property="article:published_time" content="2021-04-25T08:00:00+03:00"><meta name="author" content="נועה לוי"></head><body><article><h1>הגינה שעל הגג</h1><p>לפני שלוש שנים עלתה המורה לגג של בית הספר, ראתה שם רק דודים ישנים וכבלים, והחליטה שכאן תהיה גינה. היום גדלים שם עגבניות, מלפפונים ועץ לימון אחד.</p><p>הילדים משקים לפי תור, והתור תלוי על הדלת. מי ששוכח מקבל צמח משלו לטפל בו עד סוף השנה, וכך למדו כולם לזכור. את היבול הם מוכרים בימי שישי לשכנים.</p><p>בשנה הבאה יוסיפו כוורת, אם ההורים יסכימו.</p></article></body></html>`,
    expected: {
      title: 'הגינה שעל הגג',
      author: 'נועה לוי',
      date: '2021-04-25',
      language: 'he',
      has: 'הילדים משקים לפי תור',
    },
  },
  {
    name: 'Hindi',
    url: 'https://patrika.example/samachar/pustak',
    html: `<html lang="hi"><head><meta charset="utf-8"><title>नाव पर चलता स्कूल</title><script type="application/ld+json">{"@type":"NewsArticle","headline":"नाव पर चलता स्कूल","datePublished":"2020-08-16T06:00:00+05:30","author":{"@type":"Person","name":"सुनीता वर्मा"}}</script></head><body><div class="story"><h1>नाव पर चलता स्कूल</h1><p>जब नदी गाँव को घेर लेती है, तब स्कूल बच्चों के पास आता है। एक पुरानी नाव को रंगकर उसमें दस बेंच और एक तख़्ता लगाया गया है, और हर सुबह वह घर-घर रुकती है।</p><p>शिक्षिका बताती हैं कि पहले साल केवल सात बच्चे आए थे, क्योंकि माता-पिता को डर लगता था। अब सत्तर आते हैं और नाव दो बार चक्कर लगाती है, सुबह छोटे बच्चों के लिए और दोपहर में बड़ों के लिए।</p><p>बारिश के बाद नाव किनारे पर खड़ी रहती है और गाँव का पुस्तकालय बन जाती है।</p></div></body></html>`,
    expected: {
      title: 'नाव पर चलता स्कूल',
      author: 'सुनीता वर्मा',
      date: '2020-08-16',
      language: 'hi',
      has: 'अब सत्तर आते हैं',
    },
  },
  {
    name: 'Turkish, declared by og:locale alone',
    url: 'https://haber.example/yasam/simit',
    html: `<html><head><meta charset="utf-8"><title>Simitçinin oğlu piyano çalıyor</title><meta property="og:locale" content="tr_TR"><meta property="og:title" content="Simitçinin oğlu piyano çalıyor"><meta property="article:author" content="Deniz Aydın"><meta property="article:published_time" content="2019-10-06T09:00:00+03:00"></head><body><div class="haber-metni"><h1>Simitçinin oğlu piyano çalıyor</h1><p>İskelede otuz yıldır simit satan adamın oğlu, geçen hafta konservatuvarın sınavını birincilikle kazandı. Evlerinde piyano yok; çocuk altı yıl boyunca mahalledeki kahvenin akordu bozuk piyanosunda çalıştı.</p><p>Kahveci onu ilk duyduğunda televizyonu kapattı ve bir daha o saatlerde açmadı. Müşteriler önce söylendi, sonra kendi saatlerini değiştirdi, şimdi ise kimin daha önce fark ettiğini tartışıyorlar.</p><p>Baba, tezgâhını bir gün olsun kapatmadı. Konsere, diyor, akşam olduğu için gidebileceğim.</p></div></body></html>`,
    expected: {
      title: 'Simitçinin oğlu piyano çalıyor',
      author: 'Deniz Aydın',
      date: '2019-10-06',
      language: 'tr',
      has: 'Kahveci onu ilk duyduğunda',
    },
  },
  {
    name: 'UTF-16 with a byte order mark',
    url: 'https://helyi.example/cikk/koncert',
    charset: 'utf-16le',
    contentType: 'text/html',
    html: `\ufeff<html lang="hu"><head><title>Koncert a vasútállomáson</title><meta name="author" content="Kovács Judit"><meta name="date" content="2014-06-21"></head><body><div class="cikk"><h1>Koncert a vasútállomáson</h1><p>Szombat este a harmadik vágányon nem vonat érkezett, hanem zenekar. Negyven zenész ült a peronon, a karmester pedig a forgalmi iroda lépcsőjéről vezényelt, piros sapkában.</p><p>Az utasok egy része lekésett a csatlakozásról, de panaszt senki sem tett. A hangosbemondó csak a szünetekben szólalt meg, és még az is úgy hangzott, mintha a darabhoz tartozna.</p><p>A szervezők jövőre a tehervágányokat is szeretnék bevonni. A vasút gondolkodási időt kért.</p></div></body></html>`,
    expected: {
      title: 'Koncert a vasútállomáson',
      author: 'Kovács Judit',
      date: '2014-06-21',
      language: 'hu',
      has: 'Az utasok egy része lekésett',
    },
  },
]
