import type { ReactNode } from 'react'
import type { Words } from '../words.ts'

export const deShell = {
pages: {
overview: 'Überblick',
read: 'Lesen',
sources: 'Quellen',
queries: 'Abfragen',
deliveries: 'Zustellungen',
lab: 'Labor',
settings: 'Einstellungen',
},
themes: {
system: 'wie das System',
light: 'hell',
dark: 'dunkel',
},
language: 'Sprache',
asBrowser: 'Wie der Browser',
thePage: 'die Seite',
noSuchPage: 'Keine solche Seite',
noPageAt: (p: { readonly path: string }) => `Unter ${p.path} gibt es keine Seite`,
mistyped: 'Die Adresse ist vielleicht falsch geschrieben oder von einer anderen Version.',
toOverview: 'Zum Überblick',
alarms: 'Warnungen',
began: (p: { readonly when: ReactNode }) => <>seit {p.when}</>,
skip: 'Zum Inhalt springen',
pagesOfNode: 'Seiten',
node: 'Knoten',
more: 'Mehr',
theme: (p: { readonly theme: string }) => `Farben: ${p.theme}`,
logOut: 'Abmelden',
} satisfies Words['shell']
