import type { Draft } from '../comparison-state'
import { COMPARE } from '../texts'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
const BODY_TYPES = [
  'application/json',
  'application/yaml',
  'application/apply-patch+yaml',
  'application/strategic-merge-patch+json',
  'application/merge-patch+json',
  'application/json-patch+json',
]

export function DraftFields({
  draft: { method, path, body, contentType },
  onChange,
}: {
  draft: Draft
  onChange(change: Partial<Draft>): void
}) {
  return (
    <>
      <div className="compare-line">
        <select
          className="field"
          aria-label={COMPARE.method}
          value={method}
          onChange={(event) => onChange({ method: event.target.value })}
        >
          {METHODS.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
        <input
          className="field mono"
          aria-label={COMPARE.path}
          value={path}
          spellCheck={false}
          onChange={(event) => onChange({ path: event.target.value })}
        />
      </div>
      {method !== 'GET' && (
        <>
          <select
            className="field compare-type"
            aria-label={COMPARE.contentType}
            value={contentType}
            onChange={(event) => onChange({ contentType: event.target.value })}
          >
            {[...new Set([...BODY_TYPES, contentType])].map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
          <textarea
            className="field mono"
            aria-label={COMPARE.body}
            rows={8}
            value={body}
            spellCheck={false}
            onChange={(event) => onChange({ body: event.target.value })}
          />
        </>
      )}
    </>
  )
}
