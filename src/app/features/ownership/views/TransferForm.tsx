import { useMemo, useState } from 'react'
import type { KubeObject } from '../../../../engine/core/object'
import { pathText } from '../field-paths'
import { claimsOf, ownersOf } from '../owners'
import { handoverFields } from '../recipes'
import { fieldOf, TRANSFERS } from '../texts'
import { claimId, type TransferChoice, type TransferInput, transferChoice } from '../transfer'

export interface TransferState extends TransferChoice {
  fixed: boolean
  change(input: Partial<TransferInput>): void
}

export function useTransfer(object: KubeObject, suggested: string): TransferState {
  const fields = useMemo(() => handoverFields(claimsOf(object)), [object])
  const [input, setInput] = useState<TransferInput>({ id: '', typed: undefined, fixed: undefined })
  return {
    ...transferChoice(fields, ownersOf(object), suggested, input),
    fixed: input.fixed !== undefined,
    change: (part) => setInput((before) => ({ ...before, ...part })),
  }
}

/** Keeps the choice while its steps are sent. */
export const fixing = ({ change, claim, to }: TransferState) => ({
  onBegin: () => change({ fixed: claim && { claim, to } }),
  onReset: () => change({ fixed: undefined }),
})

export function TransferForm({ transfer, label }: { transfer: TransferState; label: string }) {
  const { fields, claim, fixed, to, shown, change } = transfer
  return (
    <div className="hand-form">
      <label>
        <span className="soft">{TRANSFERS.field}</span>
        <select
          className="field mono"
          value={claim ? claimId(claim) : ''}
          disabled={fixed}
          onChange={(event) => change({ id: event.target.value })}
        >
          {fields.map((field) => (
            <option key={claimId(field)} value={claimId(field)}>
              {fieldOf(pathText(field.path), field.owner.name)}
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
          disabled={fixed}
          spellCheck={false}
          autoCapitalize="off"
          maxLength={100}
          onChange={(event) => change({ typed: event.target.value })}
        />
      </label>
    </div>
  )
}
