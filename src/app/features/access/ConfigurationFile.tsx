import { entryOf } from '../../../engine/core/object'
import { TextField } from '../editor/TextField'
import { type Draft, FILES, type FileName, SAMPLES } from './access-draft'
import { CONFIGURATION, CONFIGURATION_FILES, keysOfIssuer } from './texts'

const IN_YAML: readonly FileName[] = ['configuration', 'webhook', 'authentication']

/** Pixels. */
const LINES = { least: 72, most: 380 }

export function ConfigurationFile({
  name,
  draft,
  onChange,
}: {
  name: FileName
  draft: Draft
  onChange(draft: Draft): void
}) {
  const text = draft.files[name]
  const write = (written: string) =>
    onChange({ ...draft, files: { ...draft.files, [name]: written } })
  return (
    <div className="field-group">
      <span className="field-title">
        {CONFIGURATION_FILES[name]} <span className="mono">{FILES[name]}</span>
      </span>
      {IN_YAML.includes(name) ? (
        <TextField label={CONFIGURATION_FILES[name]} text={text} onChange={write} fit={LINES} />
      ) : (
        <textarea
          className="field"
          aria-label={CONFIGURATION_FILES[name]}
          rows={Math.min(18, Math.max(text === '' ? 3 : 6, text.split('\n').length + 1))}
          value={text}
          spellCheck={false}
          autoCapitalize="off"
          onChange={(event) => write(event.target.value)}
        />
      )}
      {text === '' && (
        <span className="soft small">
          {CONFIGURATION.empty}{' '}
          <button type="button" className="link" onClick={() => write(SAMPLES[name])}>
            {CONFIGURATION.example}
          </button>
        </span>
      )}
    </div>
  )
}

/** For issuers that the browser cannot reach. */
export function KeySet({
  issuer,
  draft,
  onChange,
}: {
  issuer: string
  draft: Draft
  onChange(draft: Draft): void
}) {
  return (
    <label className="field-group">
      <span className="field-title">
        {CONFIGURATION.keysOf} <span className="mono">{issuer}</span> {CONFIGURATION.keysFormat}
      </span>
      <textarea
        className="field"
        aria-label={keysOfIssuer(issuer)}
        rows={4}
        placeholder={CONFIGURATION.keysExample}
        value={entryOf(draft.keySets, issuer) ?? ''}
        spellCheck={false}
        autoCapitalize="off"
        onChange={(event) =>
          onChange({ ...draft, keySets: { ...draft.keySets, [issuer]: event.target.value } })
        }
      />
    </label>
  )
}
