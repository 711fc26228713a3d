import '../terminating.css'
import { useMemo } from 'react'
import type { KubeObject } from '../../../../engine/core/object'
import { ageText } from '../../../components/age'
import { Icon } from '../../../components/Icon'
import { sendRequest } from '../../../state/client'
import { useClock } from '../../../state/clock'
import { useCluster } from '../../../state/cluster'
import { pathOf } from '../../../state/discovery'
import { useMoment } from '../../../state/moment'
import { notify, type SelectedObject, selectObject } from '../../../state/view'
import { failureOf } from '../../manifests/failure'
import { type Peer, type Step, terminatingOf, type Wait } from '../terminating'
import { TERMINATING } from '../texts'

/** More blocking objects are counted. */
const SHOWN = 5

/** @param now cluster time */
export function Terminating({
  selected,
  object,
  now,
}: {
  selected: SelectedObject
  object: KubeObject
  now: number
}) {
  const peers = usePeers()
  const state = useMemo(() => terminatingOf(object, peers), [object, peers])
  const paused = useClock(({ reading }) => reading?.clock.rate === 0)
  const past = useMoment(({ revision }) => revision !== undefined)
  if (state === undefined) return null
  const { since, deadline, waits } = state
  return (
    <section className="terminating" aria-label={TERMINATING.title}>
      <p>
        <strong>{TERMINATING.title}</strong> {TERMINATING.since(ageText(now - since))}{' '}
        <Time at={since} />.{' '}
        {deadline !== undefined &&
          (deadline > now
            ? `${TERMINATING.kill} ${ageText(deadline - now)}.`
            : `${TERMINATING.killed} ${ageText(now - deadline)} ${TERMINATING.ago}`)}
      </p>
      {waits.length === 0 && <p className="soft">{TERMINATING.nothing}</p>}
      <ul>
        {waits.map((wait) => (
          <WaitItem key={wait.title} wait={wait} of={selected} disabled={past} />
        ))}
      </ul>
      {paused && !past && (
        <p className="button-row">
          <span>{TERMINATING.paused}</span>
          <button
            type="button"
            className="button small"
            onClick={() => void useClock.getState().step()}
          >
            {TERMINATING.step}
          </button>
        </p>
      )}
    </section>
  )
}

function Time({ at }: { at: number }) {
  const text = new Date(at).toISOString()
  return (
    <time dateTime={text} title={text}>
      {text.slice(11, 19)} {TERMINATING.utc}
    </time>
  )
}

function WaitItem({
  wait: { title, text, blockers, step },
  of,
  disabled,
}: {
  wait: Wait
  of: SelectedObject
  disabled: boolean
}) {
  return (
    <li>
      <p className="wrap">
        <strong>{title}</strong> <span className="soft">{text}</span>
      </p>
      {blockers.length > 0 && (
        <p className="terminating-blockers">
          {blockers.slice(0, SHOWN).map((blocker) => (
            <button
              key={`${blocker.resource.resource}/${blocker.namespace}/${blocker.name}`}
              type="button"
              className="link mono"
              onClick={() => selectObject(blocker)}
            >
              {blocker.resource.kind} {blocker.name}
            </button>
          ))}
          {blockers.length > SHOWN && TERMINATING.more(blockers.length - SHOWN)}
        </p>
      )}
      {step && (
        <p className="button-row">
          <button
            type="button"
            className="button small"
            disabled={disabled}
            onClick={() => void run(step, of)}
          >
            <Icon name="trash" size={13} /> {step.title}
          </button>
          <span className="soft">{step.about}</span>
        </p>
      )}
    </li>
  )
}

async function run(
  { method, contentType, body }: Step,
  { resource, namespace, name }: SelectedObject,
): Promise<void> {
  const response = await sendRequest({
    method,
    path: pathOf(resource, namespace, name),
    body,
    ...(contentType === undefined ? {} : { contentType }),
  })
  if (response.ok) notify(TERMINATING.sent)
  else notify(failureOf(response).message, 'bad')
}

function usePeers(): Peer[] {
  const kinds = useCluster((state) => state.kinds)
  return useMemo(
    () =>
      [...kinds.values()].flatMap(({ resource, objects }) =>
        [...objects.values()].map(({ namespace, name, uid, owners, finalizers }) => ({
          resource,
          namespace,
          name,
          uid,
          owners,
          finalizers,
        })),
      ),
    [kinds],
  )
}
