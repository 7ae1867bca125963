import { plural } from '../amounts.ts'

export const enSession = {
  following: '✓ Following',
  follow: 'Follow',
  name: 'Name',
  password: 'Password',
  atLeast: (p: { readonly characters: number }) => `At least ${plural(p.characters, 'character', 'characters')}.`,
  logIn: 'Log in',
  logInIntro: 'This node shows what it knows to its users only. Its public feeds need no password.',
  welcome: 'Welcome to Headwater',
  welcomeIntro:
    'This node belongs to nobody yet. Choose a name and a password, and it is yours; you can invite others later.',
  makeItMine: 'Make it mine',
  invited: 'You are invited',
  invitedIntro: 'Choose a password, and this node knows you: your own query feeds, your own read and starred items.',
  comeIn: 'Come in',
  theNode: 'the node',
}
