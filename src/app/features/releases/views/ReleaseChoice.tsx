import { ALL_RELEASES, parseRelease, type Release } from '../../../../engine/releases'

interface ReleaseChoiceProps {
  label: string
  value: Release
  onChoose(release: Release): void
}

export function ReleaseChoice({ label, value, onChoose }: ReleaseChoiceProps) {
  return (
    <label className="release-choice">
      {label}
      <select
        className="field"
        value={value}
        onChange={(event) => {
          const release = parseRelease(event.target.value)
          if (release) onChoose(release)
        }}
      >
        {ALL_RELEASES.map((release) => (
          <option key={release}>{release}</option>
        ))}
      </select>
    </label>
  )
}
