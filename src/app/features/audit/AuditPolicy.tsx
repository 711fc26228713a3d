/** The editor of the audit policy. Edits persist until they are set or discarded. */
import { useState } from 'react'
import { useAudit } from '../../state/traces'
import { notify } from '../../state/view'
import { TextField } from '../editor/TextField'

export function AuditPolicy({ onDone }: { onDone: () => void }) {
  const { policy = '', draft, edit, setPolicy } = useAudit()
  const [failure, setFailure] = useState<string>()
  const text = draft ?? policy
  const send = async () => {
    try {
      await setPolicy(text)
      notify('The audit policy is set')
      onDone()
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error))
    }
  }
  return (
    <form
      className="audit-policy"
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <TextField label="Audit policy" text={text} onChange={edit} />
      {failure && (
        <p className="note bad" role="alert">
          The policy was rejected: {failure}
        </p>
      )}
      <div className="button-row">
        <button type="submit" className="button small primary" disabled={text === policy}>
          Set the policy
        </button>
        <button
          type="button"
          className="button small"
          onClick={() => {
            edit(undefined)
            onDone()
          }}
        >
          {draft === undefined ? 'Back' : 'Discard changes'}
        </button>
        <span className="soft small">
          The first matching rule applies, until the server restarts.
        </span>
      </div>
    </form>
  )
}
