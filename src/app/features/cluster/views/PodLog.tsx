import { useEffect, useState } from 'react'
import { sendRequest } from '../../../state/client'
import { failureOf } from '../../manifests/failure'
import { CLUSTER } from '../texts'

const LINES = 30

export function PodLog({
  namespace,
  name,
  containers,
}: {
  namespace: string
  name: string
  containers: readonly string[]
}) {
  const [container = '', setContainer] = useState(containers[0])
  const [text, setText] = useState<string>()
  const [reloads, setReloads] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs again on reload
  useEffect(() => {
    let current = true
    const path = `/api/v1/namespaces/${namespace}/pods/${encodeURIComponent(name)}/log?container=${encodeURIComponent(container)}&tailLines=${LINES}`
    void sendRequest({ method: 'GET', path, accept: '*/*' }).then((response) => {
      if (current) setText(response.ok ? response.text : failureOf(response).message)
    })
    return () => {
      current = false
    }
  }, [namespace, name, container, reloads])
  return (
    <section className="pod-log" aria-label={CLUSTER.logOf(name)}>
      <div className="button-row">
        <span className="small soft">{CLUSTER.log}</span>
        {containers.length > 1 && (
          <select
            className="field small"
            aria-label={CLUSTER.container}
            value={container}
            onChange={({ target }) => setContainer(target.value)}
          >
            {containers.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        )}
        <span className="grow" />
        <button type="button" className="button small" onClick={() => setReloads(reloads + 1)}>
          {CLUSTER.refresh}
        </button>
      </div>
      <pre className="mono">{text === '' ? CLUSTER.noOutput : text}</pre>
    </section>
  )
}
