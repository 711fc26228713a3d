import { type ReactNode, useMemo, useState } from 'react'
import { entryOf } from '../../../../engine/core/object'
import { FieldName } from '../../../components/FieldName'
import { Segments } from '../../../components/Segments'
import { useResults } from '../../manifests/results'
import type { ObjectAddress, Result } from '../../manifests/run'
import { FIELD_CHOICES, whatToDo } from '../texts'
import { type LiveConflicts, type WayOption, wayOptions } from '../way-outcome'
import { secondTry, type WayOut } from '../ways-out'
import { useStale } from './StaleManifest'
import { WayPreview } from './WayPreview'

interface WaysOutProps {
  result: Result
  request: ObjectAddress
  known: LiveConflicts
  manager: string
}

const CHOICES = [
  { value: 'leave', title: FIELD_CHOICES.leave },
  { value: 'share', title: FIELD_CHOICES.share },
  { value: 'force', title: FIELD_CHOICES.force },
] as const

export function WaysOut(props: WaysOutProps) {
  const { conflicts } = props.known
  const [chosen, setChosen] = useState<Record<string, WayOut>>({})
  const chosenFor = (field: string): WayOut => entryOf(chosen, field) ?? 'leave'
  return (
    <div className="ways-out">
      {wayOptions(conflicts, props.manager).map((option) => (
        <Way
          key={option.title}
          {...props}
          option={option}
          wayOf={(field) => option.way ?? chosenFor(field)}
        >
          {option.way === undefined &&
            conflicts.map(({ field }) => (
              <div key={field} className="way-choice">
                <FieldName path={field} />
                <Segments
                  label={whatToDo(field)}
                  value={chosenFor(field)}
                  choices={CHOICES}
                  onChoose={(way) => setChosen({ ...chosen, [field]: way })}
                />
              </div>
            ))}
        </Way>
      ))}
    </div>
  )
}

interface WayProps extends WaysOutProps {
  option: WayOption
  wayOf(field: string): WayOut
  children: ReactNode
}

function Way({ result, request, known, manager, option, wayOf, children }: WayProps) {
  const running = useResults((state) => state.running)
  const settle = useResults((state) => state.settle)
  const text = useResults((state) => state.text)
  const stale = useStale()
  const choices = known.conflicts.map(({ field }) => wayOf(field)).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the function depends on these choices
  const second = useMemo(
    () => secondTry(text, result.line, known.conflicts, wayOf),
    [text, result.line, known, choices],
  )
  return (
    <section className="way-out" aria-label={option.title}>
      <button
        type="button"
        className={`button small ${option.way === 'force' ? 'danger' : ''}`}
        disabled={running || stale}
        onClick={() => void settle(result, second.text, second.force).then(focusResults)}
      >
        {option.title}
      </button>
      <p className="soft small">{option.about}</p>
      {children}
      <WayPreview
        request={request}
        line={result.line}
        second={second}
        known={known}
        manager={manager}
      />
    </section>
  )
}

/** Restores the focus, because the pressed button disappears with the conflict. */
function focusResults(): void {
  requestAnimationFrame(() => {
    if (document.activeElement === document.body)
      document.getElementById('activity-results')?.focus()
  })
}
