import type { Stage } from '../../../../engine/releases'
import {
  type ElementKind,
  KINDS,
  type PolicyElement,
} from '../../../../engine/releases/deprecation-policy'
import { Segments } from '../../../components/Segments'
import { POLICY_RELEASES } from '../policy-releases'
import { POLICY } from '../texts'

const STAGES = [
  { value: 'alpha', title: POLICY.alpha },
  { value: 'beta', title: POLICY.beta },
  { value: 'stable', title: POLICY.stable },
] as const

interface PolicyElementFormProps {
  element: PolicyElement
  onChange(element: PolicyElement): void
}

export function PolicyElementForm({ element, onChange }: PolicyElementFormProps) {
  const { kind, stage, introduced, deprecated, replacement } = element
  const without = (member: 'deprecated' | 'replacement'): PolicyElement => {
    const { [member]: _left, ...rest } = element
    return rest
  }
  return (
    <form className="policy-form" onSubmit={(event) => event.preventDefault()}>
      <label>
        {POLICY.element}
        <select
          className="field"
          value={kind}
          onChange={(event) => onChange({ ...element, kind: event.target.value as ElementKind })}
        >
          {Object.entries(KINDS).map(([id, { title }]) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
        </select>
        <span className="soft small">{POLICY.examples(KINDS[kind].examples)}</span>
      </label>
      <div>
        <span>{POLICY.stage}</span>
        <Segments
          label={POLICY.stage}
          value={stage}
          choices={STAGES}
          onChoose={(value) => onChange({ ...element, stage: value })}
        />
      </div>
      <ReleaseField
        label={POLICY.introduced}
        value={introduced}
        onChange={(value) => onChange({ ...element, introduced: value ?? introduced })}
      />
      <ReleaseField
        label={POLICY.deprecated}
        none={POLICY.notDeprecated}
        value={deprecated}
        onChange={(value) =>
          onChange(value === undefined ? without('deprecated') : { ...element, deprecated: value })
        }
      />
      <label>
        {POLICY.replacement}
        <select
          className="field"
          value={replacement?.stage ?? ''}
          onChange={(event) => {
            const chosen = event.target.value as Stage | ''
            onChange(
              chosen === ''
                ? without('replacement')
                : {
                    ...element,
                    replacement: {
                      stage: chosen,
                      introduced: replacement?.introduced ?? introduced,
                    },
                  },
            )
          }}
        >
          <option value="">{POLICY.noReplacement}</option>
          {STAGES.map(({ value, title }) => (
            <option key={value} value={value}>
              {title.toLowerCase()}
            </option>
          ))}
        </select>
      </label>
      {replacement && (
        <ReleaseField
          label={POLICY.since}
          value={replacement.introduced}
          onChange={(value) =>
            onChange({
              ...element,
              replacement: { ...replacement, introduced: value ?? replacement.introduced },
            })
          }
        />
      )}
    </form>
  )
}

interface ReleaseFieldProps {
  label: string
  value: string | undefined
  /** Label of the empty option; absent: a release is required. */
  none?: string
  onChange(release: string | undefined): void
}

function ReleaseField({ label, value, none, onChange }: ReleaseFieldProps) {
  return (
    <label>
      {label}
      <select
        className="field"
        value={value ?? ''}
        onChange={(event) => onChange(event.target.value || undefined)}
      >
        {none !== undefined && <option value="">{none}</option>}
        {POLICY_RELEASES.map((release) => (
          <option key={release}>{release}</option>
        ))}
      </select>
    </label>
  )
}
