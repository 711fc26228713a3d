import './hand-over.css'
import { useState } from 'react'
import type { Json, KubeObject } from '../../../../engine/core/object'
import { Segments } from '../../../components/Segments'
import { pathOf } from '../../../state/discovery'
import type { SelectedObject } from '../../../state/view'
import { keyOf, valueOn } from '../field-paths'
import {
  anotherValue,
  clearing,
  isClientSide,
  toAnotherApplier,
  toController,
  toServerSide,
} from '../recipes'
import { alreadyOwner, TRANSFERS } from '../texts'
import { Steps } from './Steps'
import { fixing, TransferForm, useTransfer } from './TransferForm'

const RECIPES = [
  { value: 'applier', title: TRANSFERS.applier },
  { value: 'controller', title: TRANSFERS.controller },
  { value: 'server-side', title: TRANSFERS.serverSide },
  { value: 'clear', title: TRANSFERS.clear },
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
      <Segments label={TRANSFERS.recipe} value={recipe} choices={RECIPES} onChoose={setRecipe} />
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

function NoFields() {
  return <p className="soft">{TRANSFERS.none}</p>
}

function ToApplier({ selected, object }: HandOverProps) {
  const transfer = useTransfer(object, '')
  const { claim, to } = transfer
  if (claim === undefined) return <NoFields />
  const { path, owner } = claim
  return (
    <>
      <p className="soft small">{TRANSFERS.applierAbout}</p>
      <TransferForm transfer={transfer} label={TRANSFERS.newOwner} />
      {to === owner.name ? (
        <p className="note warn">{alreadyOwner(to)}</p>
      ) : (
        <Steps
          key={`${keyOf(path)} ${owner.name} ${to}`}
          address={addressOf(selected)}
          object={object}
          {...fixing(transfer)}
          stepsOf={(now) =>
            toAnotherApplier(now, addressOf(selected), { path, from: owner.name, to })
          }
        />
      )}
    </>
  )
}

function ToController({ selected, object }: HandOverProps) {
  const transfer = useTransfer(object, 'autoscaler')
  const { claim, to } = transfer
  if (claim === undefined) return <NoFields />
  const { path, owner } = claim
  return (
    <>
      <p className="soft small">{TRANSFERS.controllerAbout}</p>
      <TransferForm transfer={transfer} label={TRANSFERS.controllerName} />
      <Steps
        key={`${keyOf(path)} ${owner.name} ${to}`}
        address={addressOf(selected)}
        object={object}
        {...fixing(transfer)}
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
      <p className="soft small">{TRANSFERS.serverSideAbout}</p>
      {begun ? (
        <Steps
          address={addressOf(selected)}
          object={object}
          stepsOf={(now) => toServerSide(now, addressOf(selected))}
        />
      ) : (
        <p className="soft">{TRANSFERS.notClientSide}</p>
      )}
    </>
  )
}

const PATCH_FORMS = [
  { value: 'merge', title: TRANSFERS.mergePatch },
  { value: 'json', title: TRANSFERS.jsonPatch },
] as const

function Clear({ selected, object }: HandOverProps) {
  const [form, setForm] = useState<'merge' | 'json'>('merge')
  return (
    <>
      <p className="soft small">{TRANSFERS.clearAbout}</p>
      <Segments label={TRANSFERS.patchType} value={form} choices={PATCH_FORMS} onChoose={setForm} />
      <Steps
        key={form}
        address={addressOf(selected)}
        object={object}
        stepsOf={() => clearing(addressOf(selected), form)}
      />
    </>
  )
}
