/** Recipes by which fields change hands: each request shown before it is sent, and what it did after. */
import './hand-over.css'
import { useMemo, useState } from 'react'
import type { Json, KubeObject } from '../../../../engine/core/object'
import { prettyText } from '../../../components/format'
import { Icon } from '../../../components/Icon'
import { RequestPath } from '../../../components/RequestPath'
import { Segments } from '../../../components/Segments'
import { pathOf } from '../../../state/discovery'
import { notify, type SelectedObject } from '../../../state/view'
import { failureOf } from '../../manifests/failure'
import { keyOf, pathText, valueOn } from '../field-paths'
import { type Claim, claimsOf, isApplier, ownersOf } from '../owners'
import {
  anotherValue,
  clearing,
  handoverFields,
  isClientSide,
  type Step,
  toAnotherApplier,
  toController,
  toServerSide,
} from '../recipes'
import { type Done, sendStep } from '../sending'
import { Effects } from './Effects'

const RECIPES = [
  { value: 'applier', title: 'To another applier' },
  { value: 'controller', title: 'To a controller' },
  { value: 'server-side', title: 'From client-side' },
  { value: 'clear', title: 'Clear' },
] as const
type RecipeName = (typeof RECIPES)[number]['value']

interface HandOverProps {
  selected: SelectedObject
  object: KubeObject
}

export default function HandOver({ selected, object }: HandOverProps) {
  const [recipe, setRecipe] = useState<RecipeName>('applier')
  const Form = FORMS[recipe]
  return (
    <div className="scroll hand-over">
      <Segments label="Recipe" value={recipe} choices={RECIPES} onChoose={setRecipe} />
      <Form selected={selected} object={object} />
    </div>
  )
}

const addressOf = ({ resource, namespace, name }: SelectedObject): string =>
  pathOf(resource, namespace, name)

const FORMS: Record<RecipeName, (props: HandOverProps) => React.JSX.Element> = {
  applier: ToApplier,
  controller: ToController,
  'server-side': ToServerSide,
  clear: Clear,
}

/** A field, who has it, and who is to have it. */
function useHandover(object: KubeObject, newcomer: string) {
  const fields = useMemo(() => handoverFields(claimsOf(object)), [object])
  const idOf = (claim: Claim) => `${claim.owner.name} ${keyOf(claim.path)}`
  const [id, setId] = useState('')
  const [typed, setTyped] = useState<string>()
  /** The transferred claim and its recipient, unchanged when others come to own the field. */
  const [held, hold] = useState<{ claim: Claim; to: string }>()
  const claim = held?.claim ?? fields.find((candidate) => idOf(candidate) === id) ?? fields[0]
  const others = ownersOf(object).filter(
    (owner) => isApplier(owner, owner.name) && owner.name !== claim?.owner.name,
  )
  const suggested = newcomer === '' ? (others[0]?.name ?? 'bob') : newcomer
  const to = held?.to ?? (typed?.trim() || suggested)
  const known =
    held && !fields.some((candidate) => idOf(candidate) === idOf(held.claim))
      ? [held.claim, ...fields]
      : fields
  return {
    fields: known,
    idOf,
    claim,
    setId,
    held,
    hold,
    to,
    shown: held ? to : (typed ?? to),
    setTyped,
  }
}

type Handing = ReturnType<typeof useHandover>

function HandoverForm({ handing, label }: { handing: Handing; label: string }) {
  const { fields, idOf, claim, setId, held, to, shown, setTyped } = handing
  return (
    <div className="hand-form">
      <label>
        <span className="soft">Field</span>
        <select
          className="field mono"
          value={claim ? idOf(claim) : ''}
          disabled={held !== undefined}
          onChange={(event) => setId(event.target.value)}
        >
          {fields.map((candidate) => (
            <option key={idOf(candidate)} value={idOf(candidate)}>
              {pathText(candidate.path)} ({candidate.owner.name})
            </option>
          ))}
        </select>
      </label>
      <label>
        <span className="soft">{label}</span>
        <input
          className="field mono"
          value={shown}
          placeholder={to}
          disabled={held !== undefined}
          spellCheck={false}
          autoCapitalize="off"
          maxLength={100}
          onChange={(event) => setTyped(event.target.value)}
        />
      </label>
    </div>
  )
}

const holding = ({ hold, claim, to }: Handing) => ({
  onBegin: () => hold(claim && { claim, to }),
  onReset: () => hold(undefined),
})

function NoFields() {
  return (
    <p className="soft">
      No manager applies fields of this object. Apply a manifest first: applied fields can be handed
      over.
    </p>
  )
}

function ToApplier({ selected, object }: HandOverProps) {
  const handing = useHandover(object, '')
  const { claim, to } = handing
  if (claim === undefined) return <NoFields />
  const { path, owner } = claim
  return (
    <>
      <p className="soft small">
        Another team takes over a field. It always has an owner, and its value does not change.
      </p>
      <HandoverForm handing={handing} label="Its new owner" />
      {to === owner.name ? (
        <p className="note warn">It is {to}’s already: name another one.</p>
      ) : (
        <Steps
          key={`${keyOf(path)} ${owner.name} ${to}`}
          address={addressOf(selected)}
          object={object}
          {...holding(handing)}
          stepsOf={(now) =>
            toAnotherApplier(now, addressOf(selected), { path, from: owner.name, to })
          }
        />
      )}
    </>
  )
}

function ToController({ selected, object }: HandOverProps) {
  const handing = useHandover(object, 'autoscaler')
  const { claim, to } = handing
  if (claim === undefined) return <NoFields />
  const { path, owner } = claim
  return (
    <>
      <p className="soft small">
        A controller takes over a field, for example the number of replicas. Until its first write,
        a temporary manager owns the field.
      </p>
      <HandoverForm handing={handing} label="The controller" />
      <Steps
        key={`${keyOf(path)} ${owner.name} ${to}`}
        address={addressOf(selected)}
        object={object}
        {...holding(handing)}
        stepsOf={(now) =>
          toController(
            now,
            addressOf(selected),
            { path, from: owner.name, to },
            anotherValue(valueOn(object as unknown as Json, path)),
          )
        }
      />
    </>
  )
}

function ToServerSide({ selected, object }: HandOverProps) {
  const there = (object.metadata.managedFields ?? []).some(isClientSide)
  const [begun, setBegun] = useState(there)
  if (there && !begun) setBegun(true)
  return (
    <>
      <p className="soft small">
        kubectl used to apply in the client, and owned fields by updating them. The same in two
        requests, as kubectl itself does it when one changes over to --server-side.
      </p>
      {begun ? (
        <Steps
          address={addressOf(selected)}
          object={object}
          stepsOf={(now) => toServerSide(now, addressOf(selected))}
        />
      ) : (
        <p className="soft">
          This object was not applied client-side. To try it, select “Client-side” in the options
          next to Apply, apply a manifest, and come back.
        </p>
      )}
    </>
  )
}

const PATCH_FORMS = [
  { value: 'merge', title: 'Merge patch' },
  { value: 'json', title: 'JSON Patch' },
] as const

function Clear({ selected, object }: HandOverProps) {
  const [form, setForm] = useState<'merge' | 'json'>('merge')
  return (
    <>
      <p className="soft small">If ownership is beyond repair, clear it. Values stay unchanged.</p>
      <Segments label="As" value={form} choices={PATCH_FORMS} onChoose={setForm} />
      <Steps
        key={form}
        address={addressOf(selected)}
        object={object}
        stepsOf={() => clearing(addressOf(selected), form)}
      />
    </>
  )
}

/** Sent steps stay unchanged; the next ones are computed from the current object. */
interface StepsProps {
  /** The object's path. */
  address: string
  object: KubeObject
  stepsOf(object: KubeObject): Step[]
  onBegin?(): void
  onReset?(): void
}

function Steps({ address, object, stepsOf, onBegin, onReset }: StepsProps) {
  const [done, setDone] = useState<Done[]>([])
  const [running, setRunning] = useState(false)
  const reached = latestOf(object, done)
  const steps = useMemo(() => stepsOf(reached), [stepsOf, reached])
  const failed = done.some(({ response }) => !response.ok)
  const finished = done.length === steps.length && !failed
  const next = failed ? done.length - 1 : done.length
  const reset = () => {
    setDone([])
    onReset?.()
  }
  const send = async (all: boolean) => {
    setRunning(true)
    onBegin?.()
    try {
      let sent = failed ? done.slice(0, -1) : done
      for (let index = sent.length; index < steps.length; index++) {
        const one = await sendStep(address, (now) => stepsOf(now)[index])
        if (one === undefined) break
        sent = [...sent, one]
        setDone(sent)
        if (!one.response.ok || !all) break
      }
    } catch (error) {
      notify(`It was not sent: ${error instanceof Error ? error.message : String(error)}`, 'bad')
    } finally {
      setRunning(false)
    }
  }
  return (
    <>
      <ol className="steps">
        {steps.map((step, index) => {
          const past = done[index]
          return (
            <StepView
              key={step.title}
              number={index + 1}
              step={past?.step ?? step}
              past={past}
              later={index > next}
              send={index === next && !finished && !running ? () => void send(false) : undefined}
            />
          )
        })}
      </ol>
      <div className="button-row">
        {finished ? (
          <button type="button" className="button small" onClick={reset}>
            Start over
          </button>
        ) : (
          steps.length > 1 && (
            <button
              type="button"
              className="button small primary"
              disabled={running}
              onClick={() => void send(true)}
            >
              <Icon name="play" size={14} /> {done.length === 0 ? 'Run all steps' : 'Run the rest'}
            </button>
          )
        )}
      </div>
    </>
  )
}

/** The object of the last response, which can be newer than the page's cache. */
function latestOf(object: KubeObject, done: readonly Done[]): KubeObject {
  const json = done.findLast(({ response }) => response.ok)?.response.json as KubeObject | undefined
  return json && Number(json.metadata.resourceVersion) > Number(object.metadata.resourceVersion)
    ? json
    : object
}

interface StepViewProps {
  number: number
  step: Step
  past: Done | undefined
  later: boolean
  send: (() => void) | undefined
}

function StepView({ number, step: { title, about, request }, past, later, send }: StepViewProps) {
  return (
    <li className={later ? 'step later' : 'step'}>
      <span className="step-number" aria-hidden="true">
        {past?.response.ok ? <Icon name="check" size={14} /> : number}
      </span>
      <div className="step-body">
        <p>
          <strong>{title}</strong>{' '}
          {past && (
            <span className={`chip ${past.response.ok ? 'good' : 'bad'}`}>
              {past.response.status}
            </span>
          )}
        </p>
        <p className="soft small">{about}</p>
        <details className="step-request">
          <summary>
            <span className="method patch">{request.method}</span>{' '}
            <RequestPath path={request.path} />
          </summary>
          <pre>
            Content-Type: {request.contentType}
            {'\n\n'}
            {prettyText(request.body)}
          </pre>
        </details>
        {past && past.times > 1 && (
          <p className="soft small">Conflicted with another write: sent {past.times} times.</p>
        )}
        {past && !past.response.ok && (
          <p className="note bad">{failureOf(past.response).message}</p>
        )}
        {past?.response.ok && (
          <Effects effects={past.effects} none="Ownership was cleared, or did not change." />
        )}
        {send && (
          <button type="button" className="button small" onClick={send}>
            {past ? 'Send again' : 'Send'}
          </button>
        )}
      </div>
    </li>
  )
}
