import { useMemo } from 'react'
import { useRequests } from '../../../state/requests'
import { comparableRequests } from '../comparable'
import type { Draft } from '../comparison-state'
import { COMPARE } from '../texts'

export function LoggedChoice({ onChoose }: { onChoose(draft: Draft): void }) {
  const log = useRequests((state) => state.log)
  const requests = useMemo(() => comparableRequests(log), [log])
  const choose = (id: number) => {
    const request = requests.find((one) => one.id === id)
    if (request === undefined) return
    const { method, path, who, body = '', headers } = request
    onChoose({
      method,
      path,
      who,
      body,
      contentType: headers['Content-Type'] ?? 'application/json',
    })
  }
  return (
    <label className="release-choice compare-logged">
      {COMPARE.request}
      <select
        className="field"
        value=""
        disabled={requests.length === 0}
        onChange={(event) => choose(Number(event.target.value))}
      >
        <option value="">{requests.length === 0 ? COMPARE.noRequests : COMPARE.fromLog}</option>
        {requests.map(({ id, method, path }) => (
          <option key={id} value={id}>
            {method} {path}
          </option>
        ))}
      </select>
    </label>
  )
}
