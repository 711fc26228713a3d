/** Edits persist until they are set or discarded. */
import { useState } from 'react'
import { useAudit } from '../../state/traces'
import { notify } from '../../state/view'
import { TextField } from '../editor/TextField'
import { POLICY, policyRejected } from './texts'

export function AuditPolicy({ onDone }: { onDone: () => void }) {
  const policy = useAudit((state) => state.policy ?? '')
  const draft = useAudit((state) => state.draft)
  const edit = useAudit((state) => state.edit)
  const setPolicy = useAudit((state) => state.setPolicy)
  const [failure, setFailure] = useState<string>()
  const text = draft ?? policy
  const send = async () => {
    try {
      await setPolicy(text)
      notify(POLICY.isSet)
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
      <TextField label={POLICY.label} text={text} onChange={edit} />
      {failure && (
        <p className="note bad" role="alert">
          {policyRejected(failure)}
        </p>
      )}
      <div className="button-row">
        <button type="submit" className="button small primary" disabled={text === policy}>
          {POLICY.set}
        </button>
        <button
          type="button"
          className="button small"
          onClick={() => {
            edit(undefined)
            onDone()
          }}
        >
          {draft === undefined ? POLICY.back : POLICY.discard}
        </button>
        <span className="soft small">{POLICY.about}</span>
      </div>
    </form>
  )
}
