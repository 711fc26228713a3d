/** The users of this page, how the server authenticates each, and how to add one. */
import { type ComponentType, useState } from 'react'
import { Icon } from '../../components/Icon'
import { Segments } from '../../components/Segments'
import { type Actor, useActors } from '../../state/actors'
import { AddCertificate } from './AddCertificate'
import { AddServiceAccount } from './AddServiceAccount'
import { AddToken } from './AddToken'
import { ExecPlugin } from './ExecPlugin'
import { type WhoIAm, whoAmI } from './identities/requests'
import { openAccess, subjectOf } from './state'

type Way = 'certificate' | 'account' | 'token' | 'exec'

const WAYS: { value: Way; title: string; Body: ComponentType }[] = [
  { value: 'certificate', title: 'Certificate', Body: AddCertificate },
  { value: 'account', title: 'Service account', Body: AddServiceAccount },
  { value: 'token', title: 'Bearer token', Body: AddToken },
  { value: 'exec', title: 'Exec plugin', Body: ExecPlugin },
]

export default function Identities() {
  const [way, setWay] = useState<Way>('certificate')
  const { Body } = WAYS.find(({ value }) => value === way) ?? (WAYS[0] as (typeof WAYS)[number])
  return (
    <div className="access-columns actors-columns">
      <section className="access-form" aria-label="Actors">
        <AllUsers />
        <Me />
      </section>
      <section className="access-main" aria-label="Sign in as another user">
        <h2>Sign in as another user</h2>
        <Segments label="How" value={way} choices={WAYS} onChoose={setWay} />
        <Body />
      </section>
    </div>
  )
}

function AllUsers() {
  const actors = useActors((state) => state.actors)
  const actor = useActors((state) => state.actor)
  return (
    <ul className="actor-list" aria-label="Identities">
      {actors.map((one) => (
        <OneActor key={one.name} one={one} acting={one.name === actor.name} />
      ))}
    </ul>
  )
}

const wayOf = ({ from, token }: Actor): string =>
  from ?? (token === undefined ? 'no credential' : 'token file')

function OneActor({ one, acting }: { one: Actor; acting: boolean }) {
  const { actAs, remove } = useActors.getState()
  return (
    <li className={acting ? 'actor-row acting' : 'actor-row'}>
      <div className="actor-who">
        <strong className="wrap">{one.name}</strong>
        <span className="soft small wrap">
          {wayOf(one)} · {one.groups.join(', ') || 'no groups'}
        </span>
      </div>
      {acting ? (
        <span className="chip">acting</span>
      ) : (
        <button
          type="button"
          className="button small"
          aria-label={`Act as ${one.name}`}
          onClick={() => actAs(one.name)}
        >
          Act
        </button>
      )}
      <button
        type="button"
        className="button quiet icon-only small"
        aria-label={`Permissions of ${one.name}`}
        title="Permissions"
        onClick={() => openAccess('rights', { subject: subjectOf(one), explained: undefined })}
      >
        <Icon name="grid" size={14} />
      </button>
      {one.from !== undefined && (
        <button
          type="button"
          className="button quiet icon-only small"
          aria-label={`Remove ${one.name}`}
          title="Remove credential"
          onClick={() => remove(one.name)}
        >
          <Icon name="trash" size={14} />
        </button>
      )}
    </li>
  )
}

/** How the server sees the credential of the selected user. */
function Me() {
  const actor = useActors((state) => state.actor)
  const [me, setMe] = useState<{ of: Actor; who?: WhoIAm; failure?: string }>()
  const find = () =>
    whoAmI().then(
      (who) => setMe({ of: actor, who }),
      (error: unknown) =>
        setMe({ of: actor, failure: error instanceof Error ? error.message : String(error) }),
    )
  const shown = me?.of === actor ? me : undefined
  return (
    <>
      <div className="button-row">
        <button type="button" className="button small" onClick={() => void find()}>
          <Icon name="user" size={14} /> Who am I?
        </button>
        <span className="soft small">A SelfSubjectReview; “kubectl auth whoami”.</span>
      </div>
      {shown?.failure && <p className="note bad">{shown.failure}</p>}
      {shown?.who && (
        <section aria-label="Who I am">
          <pre>{JSON.stringify(shown.who, null, 2)}</pre>
        </section>
      )}
    </>
  )
}
