import { useLocation } from 'wouter'
import { call } from '../client/call.ts'
import { Gate } from './gate.tsx'
import { useSession } from './session.tsx'

export function LogIn() {
  const { setMe } = useSession()
  return (
    <Gate
      title="Log in"
      intro="This node shows what it knows to its users only. Its public feeds need no password."
      button="Log in"
      name=""
      isNewPassword={false}
      onEnter={async (name, password) => setMe(await call('logIn', { body: { name, password } }))}
    />
  )
}

export function FirstOwner() {
  const { setMe } = useSession()
  const [, navigate] = useLocation()
  return (
    <Gate
      title="Welcome to Headwater"
      intro="This node belongs to nobody yet. Choose a name and a password, and it is yours; you can invite others later."
      button="Make it mine"
      name="owner"
      isNewPassword={true}
      onEnter={async (name, password) => {
        const me = await call('claimNode', { body: { name, password } })
        navigate('/welcome')
        setMe(me)
      }}
    />
  )
}

export function Invitation({ secret }: { readonly secret: string }) {
  const { setMe } = useSession()
  const [, navigate] = useLocation()
  return (
    <Gate
      title="You are invited"
      intro="Choose a password, and this node knows you: your own query feeds, your own read and starred items."
      button="Come in"
      name={null}
      isNewPassword={true}
      onEnter={async (_name, password) => {
        const me = await call('acceptInvitation', { body: { invitation: secret, password } })
        navigate('/')
        setMe(me)
      }}
    />
  )
}
