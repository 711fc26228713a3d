import type { Pod } from 'kubernetes-types/core/v1'
import { useEffect, useState } from 'react'
import { Empty } from '../../../../components/Empty'
import { sendRequest } from '../../../../state/client'
import { useMoment } from '../../../../state/moment'
import { failureOf } from '../../../manifests/failure'
import { LOGS } from '../../texts'
import type { TabProps } from './tab-props'

const LINES = 1000

export default function LogsTab({ selected, object }: TabProps) {
  const { spec } = object as unknown as Pod
  const containers = [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])].map(
    ({ name }) => name,
  )
  const main = spec?.containers?.[0]?.name ?? ''
  const [chosen, setChosen] = useState(main)
  const [previous, setPrevious] = useState(false)
  const [reloads, setReloads] = useState(0)
  const past = useMoment(({ revision }) => revision !== undefined)
  const container = containers.includes(chosen) ? chosen : main
  const version = `${object.metadata.resourceVersion} ${reloads}`
  const text = useLog(selected, container, previous, version)
  if (past) return <Empty>{LOGS.past}</Empty>
  return (
    <div className="object-logs">
      <div className="bar sub">
        {containers.length > 1 && (
          <select
            className="field"
            aria-label={LOGS.container}
            value={container}
            onChange={({ target }) => setChosen(target.value)}
          >
            {containers.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        )}
        <button
          type="button"
          className="button quiet small"
          aria-pressed={previous}
          title={LOGS.previousTitle}
          onClick={() => setPrevious(!previous)}
        >
          {LOGS.previous}
        </button>
        <span className="grow" />
        <button type="button" className="button small" onClick={() => setReloads(reloads + 1)}>
          {LOGS.refresh}
        </button>
      </div>
      <section
        className="scroll"
        aria-label={LOGS.title(selected.name)}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
        tabIndex={0}
      >
        <pre className="wire-text">
          {text === undefined ? LOGS.loading : text === '' ? LOGS.empty : text}
        </pre>
      </section>
    </div>
  )
}

/** @param version another one reads the log again */
function useLog(
  { namespace, name }: TabProps['selected'],
  container: string,
  previous: boolean,
  version: string,
): string | undefined {
  const [text, setText] = useState<string>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another version is the reason to read again
  useEffect(() => {
    let current = true
    const query = `container=${encodeURIComponent(container)}&tailLines=${LINES}${previous ? '&previous=true' : ''}`
    const path = `/api/v1/namespaces/${namespace}/pods/${encodeURIComponent(name)}/log?${query}`
    void sendRequest({ method: 'GET', path, accept: '*/*', origin: 'page' }).then((response) => {
      if (current) setText(response.ok ? response.text : failureOf(response).message)
    })
    return () => {
      current = false
    }
  }, [namespace, name, container, previous, version])
  return text
}
