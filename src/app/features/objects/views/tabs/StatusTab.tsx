import { useMemo } from 'react'
import { ageText } from '../../../../components/age'
import { Empty } from '../../../../components/Empty'
import { HealthMark } from '../../../../components/HealthMark'
import { Icon } from '../../../../components/Icon'
import { clusterNow, useClusterTime } from '../../../../state/clock'
import type { Condition } from '../../../../state/health/health'
import { useHealth } from '../../../../state/use-health'
import { Explain } from '../../../explain/Explain'
import { type ContainerState, statusPartsOf } from '../../status-parts'
import { STATUS } from '../../texts'
import type { TabProps } from './tab-props'

export default function StatusTab({ selected, object }: TabProps) {
  const health = useHealth(selected)
  const { members, conditions, containers } = useMemo(() => statusPartsOf(object), [object])
  if (members.length + conditions.length + containers.length === 0 && health === undefined)
    return <Empty>{STATUS.none}</Empty>
  return (
    <div className="scroll object-tab">
      {health && (
        <div className="status-health">
          <HealthMark health={health} />
          {health.reason && <p className="wrap">{health.reason}</p>}
        </div>
      )}
      {containers.length > 0 && (
        <section aria-label={STATUS.containers}>
          <h3>{STATUS.containers}</h3>
          <ul className="status-list">
            {containers.map((container) => (
              <Container key={`${container.init} ${container.name}`} container={container} />
            ))}
          </ul>
        </section>
      )}
      {conditions.length > 0 && (
        <section aria-label={STATUS.conditions}>
          <h3>{STATUS.conditions}</h3>
          <Conditions conditions={conditions} />
        </section>
      )}
      {members.length > 0 && (
        <section aria-label={STATUS.members}>
          <h3>{STATUS.members}</h3>
          <dl className="status-members">
            {members.map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd className="mono wrap">{value}</dd>
              </div>
            ))}
          </dl>
        </section>
      )}
    </div>
  )
}

function Container({
  container: { name, image, init, ready, restarts, state, last, message },
}: {
  container: ContainerState
}) {
  return (
    <li>
      <span className={`health ${ready ? 'is-Current' : 'is-InProgress'}`}>
        <Icon name={ready ? 'check' : 'circle'} size={12} />
        <span className="visually-hidden">{ready ? STATUS.ready : STATUS.notReady}</span>
      </span>
      <div>
        <p className="wrap">
          <strong className="mono">{name}</strong>{' '}
          {init && <span className="chip">{STATUS.init}</span>} {state}
          {restarts > 0 && `, ${STATUS.restarts(restarts)}`}
        </p>
        <p className="soft mono wrap">{image}</p>
        {last && <p className="soft">{STATUS.last(last)}</p>}
        {message && <p className="soft wrap">{message}</p>}
      </div>
    </li>
  )
}

function Conditions({ conditions }: { conditions: readonly Condition[] }) {
  const now = useClusterTime() ?? clusterNow()
  return (
    <ul className="status-list">
      {conditions.map(({ type, status, reason = '', message = '', lastTransitionTime }) => (
        <li key={type}>
          <span className="mono status-value">{status}</span>
          <div>
            <p>
              <strong>
                <Explain word="condition" name={type} />
              </strong>{' '}
              <span className="soft">{reason}</span>
              {lastTransitionTime && (
                <time className="status-age soft" title={lastTransitionTime}>
                  {STATUS.ago(ageText(now - Date.parse(lastTransitionTime)))}
                </time>
              )}
            </p>
            {message && <p className="soft wrap">{message}</p>}
          </div>
        </li>
      ))}
    </ul>
  )
}
