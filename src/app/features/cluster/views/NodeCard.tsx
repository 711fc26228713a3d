import type { ReactNode } from 'react'
import { Icon } from '../../../components/Icon'
import type { NodeBox, PodMark } from '../picture'
import { NODE_STATES, PICTURE } from '../texts'
import type { Choice } from './chosen'

export function NodeCard({
  node,
  sign,
  chosen,
  onChoose,
}: { node: NodeBox; sign: (pod: PodMark) => ReactNode } & Choice) {
  const { uid, name, state, cordoned, pods } = node
  const status = [NODE_STATES[state], cordoned ? PICTURE.cordoned : ''].filter(Boolean).join(', ')
  return (
    <section
      className={`node-box is-${state.replace(' ', '-')}`}
      aria-label={PICTURE.node(name, status)}
    >
      <header>
        <button
          type="button"
          className="node-head"
          aria-pressed={chosen === uid}
          onClick={() => onChoose({ apiVersion: 'v1', kind: 'Node', namespace: '', name, uid })}
        >
          {state !== 'ready' && <Icon name="warning" size={14} />}
          <strong>{name}</strong>
        </button>
        <span className={state === 'ready' && !cordoned ? 'chip mute' : 'chip warn'}>{status}</span>
        <span className="count">{pods.length}</span>
      </header>
      <div className="pods">{pods.map(sign)}</div>
    </section>
  )
}
