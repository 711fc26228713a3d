import type { PodSet, Workload } from '../picture'
import { PICTURE } from '../texts'
import type { Choice } from './chosen'

export function WorkloadCard({ workload, chosen, onChoose }: { workload: Workload } & Choice) {
  const { apiVersion, kind, name, namespace, uid, wanted, ready, status, sets } = workload
  return (
    <article
      className={chosen === uid ? 'workload chosen' : 'workload'}
      aria-label={`${kind} ${name}`}
    >
      <button
        type="button"
        className="workload-head"
        aria-pressed={chosen === uid}
        onClick={() => onChoose({ apiVersion, kind, namespace, name, uid })}
      >
        <span className="kind">{kind}</span>
        <strong className="cut">{name}</strong>
        <span className="soft small">{namespace}</span>
        <span className={ready >= wanted ? 'chip good' : 'chip warn'}>
          {PICTURE.ready(ready, wanted)}
        </span>
      </button>
      {status && <p className="workload-status small">{status}</p>}
      <ul className="sets">
        {sets
          .filter((set) => set.newest || set.wanted > 0 || set.pods.length > 0)
          .map((set) => (
            <SetRow key={set.uid} set={set} chosen={chosen} onChoose={onChoose} />
          ))}
      </ul>
    </article>
  )
}

function SetRow({ set, chosen, onChoose }: { set: PodSet } & Choice) {
  const { kind, name, namespace, uid, title, images, wanted, pods, newest } = set
  const ready = pods.filter(({ state }) => state === 'ready').length
  const isSet = kind === 'ReplicaSet'
  const words = PICTURE.set(title, images.join(', '), wanted, pods.length, ready)
  return (
    <li className={newest ? 'set newest' : 'set older'} data-source={uid}>
      <button
        type="button"
        disabled={!isSet}
        aria-pressed={chosen === uid}
        aria-label={words}
        onClick={() => onChoose({ apiVersion: 'apps/v1', kind, namespace, name, uid })}
      >
        <span className="set-title">{title}</span>
        <span className="mono cut">{images.join(', ')}</span>
        <span className="set-count">
          {ready}/{wanted}
        </span>
        <Bar wanted={wanted} ready={ready} there={pods.length} />
      </button>
    </li>
  )
}

function Bar({ wanted, ready, there }: { wanted: number; ready: number; there: number }) {
  const whole = Math.max(wanted, there, 1)
  const share = (count: number) => ({ width: `${(100 * count) / whole}%` })
  return (
    <span className="set-bar" aria-hidden="true">
      <i className="there" style={share(there)} />
      <i className="ready" style={share(ready)} />
      <i className="wanted" style={{ left: `${(100 * wanted) / whole}%` }} />
    </span>
  )
}
