import { plural } from '../amounts.ts'
import type { Words } from '../words.ts'

export const deSession = {
  following: '✓ Abonniert',
  follow: 'Abonnieren',
  name: 'Name',
  password: 'Passwort',
  atLeast: (p: { readonly characters: number }) => `Mindestens ${plural(p.characters, 'Zeichen', 'Zeichen')}.`,
  logIn: 'Anmelden',
  logInIntro: 'Dieser Knoten zeigt nur angemeldeten Personen, was er weiß. Öffentliche Feeds brauchen kein Passwort.',
  welcome: 'Willkommen bei Headwater',
  welcomeIntro:
    'Dieser Knoten gehört noch niemandem. Wer einen Namen und ein Passwort wählt, dem gehört er; andere lassen sich später einladen.',
  makeItMine: 'Übernehmen',
  invited: 'Eine Einladung',
  invitedIntro:
    'Mit einem Passwort kennt dieser Knoten Sie: mit eigenen Abfrage-Feeds, eigenen gelesenen und gemerkten Beiträgen.',
  comeIn: 'Eintreten',
  theNode: 'den Knoten',
} satisfies Words['session']
