import type { PodState } from '../../../state/pod-state'
import type { PodMark } from '../picture'
import { PICTURE, POD_STATES } from '../texts'

const SHAPES: Record<PodState, { outline: string; sign?: string }> = {
  pending: { outline: 'M8 2a6 6 0 1 0 .01 0' },
  starting: { outline: 'M8 2a6 6 0 1 0 .01 0', sign: 'M8 4.6a3.4 3.4 0 0 1 0 6.8z' },
  'not ready': { outline: 'M8 2a6 6 0 1 0 .01 0', sign: 'M8 6.6a1.4 1.4 0 1 0 .01 0' },
  ready: { outline: 'M8 2a6 6 0 1 0 .01 0', sign: 'm5.2 8.2 2 2 3.6-4' },
  crashing: { outline: 'M8 1.8 14.6 13.6H1.4z', sign: 'M8 6v3.6M8 11.6v.01' },
  'no image': { outline: 'M2.4 2.4h11.2v11.2H2.4z', sign: 'm5.4 5.4 5.2 5.2m0-5.2-5.2 5.2' },
  ending: { outline: 'M8 2a6 6 0 1 0 .01 0', sign: 'M5 8h6' },
  done: { outline: 'M2.4 2.4h11.2v11.2H2.4z', sign: 'm5.2 8.2 2 2 3.6-4' },
  failed: {
    outline: 'M5.2 1.8h5.6l3.4 3.4v5.6l-3.4 3.4H5.2l-3.4-3.4V5.2z',
    sign: 'm5.6 5.6 4.8 4.8m0-4.8-4.8 4.8',
  },
}

function PodShape({ state }: { state: PodState }) {
  const { outline, sign } = SHAPES[state]
  return (
    <svg className="pod-shape" width={16} height={16} viewBox="0 0 16 16" aria-hidden="true">
      <path className="pod-outline" d={outline} />
      {sign && <path className="pod-mark" d={sign} />}
    </svg>
  )
}

interface PodSignProps {
  pod: PodMark
  /** Its revision, if there are several: `r2`. */
  revision?: string | undefined
  chosen: boolean
  onChoose: (pod: PodMark) => void
}

export function PodIcon({ pod, revision, chosen, onChoose }: PodSignProps) {
  const { name, namespace, state, detail, node, restarts } = pod
  const word = wordOf(pod)
  const details = [
    PICTURE.pod(name, namespace, word),
    detail === word ? '' : detail,
    node === '' ? PICTURE.notScheduled : PICTURE.onNode(node),
    restarts > 0 ? PICTURE.restarts(restarts) : '',
  ]
  const label = PICTURE.podLabel(details.filter(Boolean).join(', '))
  return (
    <button
      type="button"
      className={`pod is-${state.replace(' ', '-')}`}
      data-pod={pod.uid}
      data-set={pod.set}
      aria-pressed={chosen}
      aria-label={label}
      title={label}
      onClick={() => onChoose(pod)}
    >
      <PodShape state={state} />
      <span className="pod-name mono">{shortName(name)}</span>
      {revision && <span className="pod-revision">{revision}</span>}
      <span className="pod-state">{word}</span>
    </button>
  )
}

/** The state, or its reason if the state has several: `ErrImagePull`. */
const wordOf = ({ state, detail }: PodMark): string =>
  (state === 'crashing' || state === 'no image') && detail !== '' ? detail : POD_STATES[state]

/** The unique last part of a pod name. */
const shortName = (name: string): string => name.slice(name.lastIndexOf('-') + 1)
