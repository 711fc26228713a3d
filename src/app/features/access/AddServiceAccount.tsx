/** Adds a user with a service account token. */
import { useState } from 'react'
import { useActors } from '../../state/actors'
import { useCluster } from '../../state/cluster'
import { notify } from '../../state/view'
import { AccountField } from './AccountField'
import { useBusy } from './busy'
import { recognized, requestToken } from './identities/requests'

const LIFETIMES = [
  { value: 600, title: '10 minutes' },
  { value: 3600, title: '1 hour' },
  { value: 86_400, title: '1 day' },
]

export function AddServiceAccount() {
  const kinds = useCluster((state) => state.kinds)
  const accounts = [...(kinds.get('/serviceaccounts')?.objects.values() ?? [])]
    .map((one) => `${one.namespace}/${one.name}`)
    .sort()
  const [chosen, setChosen] = useState<string>()
  const account = chosen ?? accounts.find((one) => one.startsWith('default/')) ?? ''
  const [seconds, setSeconds] = useState(3600)
  const { busy, failure, run } = useBusy()
  const add = () =>
    run(async () => {
      const [namespace = '', name = ''] = account.split('/')
      const { token, expirationTimestamp } = await requestToken({ namespace, name }, seconds, [])
      const actor = await recognized({ token, from: 'service account' })
      useActors.getState().add(actor)
      useActors.getState().actAs(actor.name)
      notify(`Acting as ${actor.name} until ${expirationTimestamp}`)
    })
  return (
    <form
      className="add-form"
      onSubmit={(event) => {
        event.preventDefault()
        add()
      }}
    >
      <p className="soft">
        A TokenRequest: the server issues a token for the service account, as for the pods that use
        it (“kubectl create token”). Request a new one when it has expired.
      </p>
      <div className="pair">
        <AccountField accounts={accounts} value={account} onChange={setChosen} />
        <label>
          <span className="field-title">Valid for</span>
          <select
            className="field"
            value={seconds}
            onChange={(event) => setSeconds(Number(event.target.value))}
          >
            {LIFETIMES.map(({ value, title }) => (
              <option key={value} value={value}>
                {title}
              </option>
            ))}
          </select>
        </label>
      </div>
      {failure && (
        <p className="note bad" role="alert">
          {failure}
        </p>
      )}
      <div className="button-row">
        <button type="submit" className="button primary" disabled={busy || !account.includes('/')}>
          Request token and use it
        </button>
      </div>
    </form>
  )
}
