/** An actor with a bearer token of any kind: of the token file, a service account's, a bootstrap token. */
import { useState } from 'react'
import { useActors } from '../../state/actors'
import { notify } from '../../state/view'
import { useBusy } from './busy'
import { recognized } from './identities/requests'

export function AddToken() {
  const [token, setToken] = useState('')
  const { busy, failure, run } = useBusy()
  const add = () =>
    run(async () => {
      const actor = await recognized({ token: token.trim(), from: 'bearer token' })
      useActors.getState().add(actor)
      useActors.getState().actAs(actor.name)
      setToken('')
      notify(`Acting as ${actor.name}`)
    })
  return (
    <form
      className="add-form"
      onSubmit={(event) => {
        event.preventDefault()
        add()
      }}
    >
      <p className="soft">Stored only in this browser; never in links, exports or logs.</p>
      <label className="field-group">
        <span className="field-title">Bearer token</span>
        <input
          className="field mono"
          type="password"
          autoComplete="off"
          placeholder="bob-token, 0123ab.0123456789abcdef, eyJ…"
          value={token}
          onChange={(event) => setToken(event.target.value)}
        />
      </label>
      {failure && (
        <p className="note bad" role="alert">
          The server does not know this token: {failure}
        </p>
      )}
      <div className="button-row">
        <button type="submit" className="button primary" disabled={busy || token.trim() === ''}>
          Act with this token
        </button>
      </div>
    </form>
  )
}
